#!/usr/bin/env python3
"""Makes a BERT model as a GGUF file, and the vectors that it must give, computed here in NumPy.

    make_gguf.py tiny OUT_DIR            a small model with random weights: tests/gguf
    make_gguf.py minilm MODEL_DIR OUT_DIR   all-MiniLM-L6-v2, from its model.safetensors and vocab.txt

Needs the packages gguf and numpy; minilm also needs safetensors and tokenizers. The tiny model's words are split at
spaces, so that its tokens need no tokenizer.
"""

import json
import sys
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, PoolingType, TokenType

EPSILON = 1e-12
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = """the dog is called pixel and fears a street sweeper rate limit of one hundred requests per minute train
tickets are in blue folder what which who how many notes memory question answer""".split()
TEXTS = [
    "the dog is called pixel",
    "which dog fears a street sweeper",
    "the rate limit is one hundred requests per minute",
    "train tickets are in the blue folder",
    "memory",
]


def tiny():
    rng = np.random.default_rng(42)
    words = SPECIAL + sorted(set(WORDS))
    dims, hidden, layers, length = 32, 64, 2, 64

    def random(*shape):
        return rng.normal(0, 0.4, shape).astype(np.float32)

    tensors = {"embeddings.word_embeddings.weight": random(len(words), dims),
               "embeddings.position_embeddings.weight": random(length, dims),
               "embeddings.token_type_embeddings.weight": random(2, dims),
               "embeddings.LayerNorm.weight": 1 + random(dims), "embeddings.LayerNorm.bias": random(dims)}
    for n in range(layers):
        at = f"encoder.layer.{n}."
        for name in ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]:
            tensors |= {f"{at}{name}.weight": random(dims, dims), f"{at}{name}.bias": random(dims)}
        tensors |= {f"{at}intermediate.dense.weight": random(hidden, dims), f"{at}intermediate.dense.bias": random(hidden),
                    f"{at}output.dense.weight": random(dims, hidden), f"{at}output.dense.bias": random(dims)}
        for name in ["attention.output.LayerNorm", "output.LayerNorm"]:
            tensors |= {f"{at}{name}.weight": 1 + random(dims), f"{at}{name}.bias": random(dims)}
    shape = {"layers": layers, "heads": 2, "length": length, "hidden": hidden}
    split = lambda text: [words.index(word) for word in text.split()]
    return "tiny-bert", tensors, words, shape, lambda text: [2, *split(text), 3]


def minilm(folder):
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    config = json.loads((folder / "config.json").read_text())
    tensors = {name.removeprefix("bert."): tensor.astype(np.float32)
               for name, tensor in load_file(folder / "model.safetensors").items()}
    words = (folder / "vocab.txt").read_text().splitlines()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    shape = {"layers": config["num_hidden_layers"], "heads": config["num_attention_heads"],
             "length": config["max_position_embeddings"], "hidden": config["intermediate_size"]}
    return "all-MiniLM-L6-v2", tensors, words, shape, lambda text: tokenizer.encode(text).ids


def norm(values, weight, bias):
    mean = values.mean(-1, keepdims=True)
    return (values - mean) / np.sqrt(values.var(-1, keepdims=True) + EPSILON) * weight + bias


def vector(tensors, shape, ids):
    """The mean of the last layer's outputs, of length one."""
    get = lambda name: tensors[name].astype(np.float64)
    linear = lambda x, name: x @ get(f"{name}.weight").T + get(f"{name}.bias")
    layer_norm = lambda x, name: norm(x, get(f"{name}.weight"), get(f"{name}.bias"))
    x = get("embeddings.word_embeddings.weight")[ids] + get("embeddings.position_embeddings.weight")[: len(ids)]
    x = layer_norm(x + get("embeddings.token_type_embeddings.weight")[0], "embeddings.LayerNorm")
    for n in range(shape["layers"]):
        at = f"encoder.layer.{n}."
        heads = lambda y: y.reshape(len(ids), shape["heads"], -1).transpose(1, 0, 2)
        q, k, v = (heads(linear(x, f"{at}attention.self.{part}")) for part in ["query", "key", "value"])
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (weights / weights.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(1, 0, 2).reshape(len(ids), -1)
        x = layer_norm(x + linear(mixed, f"{at}attention.output.dense"), f"{at}attention.output.LayerNorm")
        inner = linear(x, f"{at}intermediate.dense")
        inner = 0.5 * inner * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
        x = layer_norm(x + linear(inner, f"{at}output.dense"), f"{at}output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


NAMES = {"attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
         "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
         "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"}


def write(path, name, tensors, words, shape):
    writer = GGUFWriter(str(path), "bert")
    dims = tensors["embeddings.word_embeddings.weight"].shape[1]
    writer.add_name(name)
    writer.add_context_length(shape["length"])
    writer.add_embedding_length(dims)
    writer.add_feed_forward_length(shape["hidden"])
    writer.add_block_count(shape["layers"])
    writer.add_head_count(shape["heads"])
    writer.add_layer_norm_eps(EPSILON)
    writer.add_causal_attention(False)
    writer.add_pooling_type(PoolingType.MEAN)
    writer.add_tokenizer_model("bert")
    writer.add_token_type_count(2)
    special = lambda word: word.startswith("[") and word.endswith("]")
    spelled = [w if special(w) else w[2:] if w.startswith("##") else "\u2581" + w for w in words]
    writer.add_token_list(spelled)
    writer.add_token_types([TokenType.UNKNOWN if w == "[UNK]" else TokenType.CONTROL if special(w) else TokenType.NORMAL
                            for w in words])
    for add, word in [(writer.add_bos_token_id, "[CLS]"),
                      (writer.add_sep_token_id, "[SEP]"), (writer.add_eos_token_id, "[SEP]"),
                      (writer.add_unk_token_id, "[UNK]"), (writer.add_pad_token_id, "[PAD]"),
                      (writer.add_mask_token_id, "[MASK]")]:
        add(words.index(word))
    embeddings = {"word_embeddings.weight": "token_embd.weight", "position_embeddings.weight": "position_embd.weight",
                  "token_type_embeddings.weight": "token_types.weight",
                  "LayerNorm.weight": "token_embd_norm.weight", "LayerNorm.bias": "token_embd_norm.bias"}
    for ours, theirs in embeddings.items():
        writer.add_tensor(theirs, tensors[f"embeddings.{ours}"])
    for n in range(shape["layers"]):
        for ours, theirs in NAMES.items():
            for part in ["weight", "bias"]:
                writer.add_tensor(f"blk.{n}.{theirs}.{part}", tensors[f"encoder.layer.{n}.{ours}.{part}"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    kind, *rest = sys.argv[1:]
    name, tensors, words, shape, ids = tiny() if kind == "tiny" else minilm(Path(rest[0]))
    out = Path(rest[-1])
    out.mkdir(parents=True, exist_ok=True)
    write(out / f"{name}.gguf", name, tensors, words, shape)
    vectors = [{"text": text, "vector": [round(float(v), 6) for v in vector(tensors, shape, ids(text))]} for text in TEXTS]
    (out / f"{name}.json").write_text(json.dumps(vectors) + "\n")


main()
