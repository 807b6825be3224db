#!/usr/bin/env python3
"""Fits the few numbers of ranking that are learned, and says what each is worth.

usage: fit.py EVIDENCE.jsonl

EVIDENCE is what `mindfile-evals evidence` prints for the files of sets.py. Sets called fit-* fit, all others judge.
Needs numpy. Prints two tables of coefficients: `order`, a softmax over the candidates of a question, beside the sum of words,
meaning and interaction, which counts 1; and `sure`, a logistic function over the first six hits; then what is lost without
each evidence, on the sets that judge; and how many hits are called answers, how many of those are, and how many of the
questions that have an answer get one.
"""

import collections
import json
import sys

import numpy as np

FIRST = 6
CALLED = 0.7
EXTREME = 1e-4
EACH = 200
ORDER = ["sum", "pairs"]
SURE = ["none", "strength", "lead"]


def main():
    sets = collections.defaultdict(list)
    for line in open(sys.argv[1]):
        question = json.loads(line)
        if question["hits"]:
            sets[question["set"]].append(question)
    fit = {name: asked for name, asked in sets.items() if name.startswith("fit-")}
    judge = {name: asked for name, asked in sets.items() if name not in fit}
    show("order", ORDER, order(fit, judge))
    show("sure", SURE, sure(fit, judge))


def show(title, names, rows):
    print(f"\n{title}")
    for label, weights, figures in rows:
        said = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, weights) if weight)
        print(f"  {label:20} {figures}   {said}")


def order(fit, judge):
    chance = np.random.default_rng(7)
    asked = []
    for questions in fit.values():
        answered = [candidates(question) for question in questions if question["answerable"]]
        asked += [answered[at] for at in chance.permutation(len(answered))[:EACH]]
    asked = [(values, gold) for values, gold, _ in asked if gold.any() and not gold.all()]
    whole = softmax(asked)
    whole = whole / whole[0]
    for label, weights in (("all", whole), ("without pairs", np.array([1.0, 0.0]))):
        yield label, weights, found(judge, weights)


def found(sets, weights):
    """The mean over the sets of the share of questions with evidence among the first 1, 3, 5 and 10."""
    means = []
    for questions in sets.values():
        ranks = []
        for values, gold, factors in map(candidates, (one for one in questions if one["answerable"])):
            ranked = gold[np.argsort(-(values @ weights) * factors, kind="stable")]
            ranks.append([ranked[:depth].any() for depth in (1, 3, 5, 10)])
        if ranks:
            means.append(100 * np.mean(ranks, axis=0))
    return "  ".join(f"@{depth} {mean:.1f}" for depth, mean in zip((1, 3, 5, 10), np.mean(means, axis=0)))


def candidates(question):
    understood = question["strength"]["understood"]
    values, gold, factors = [], [], []
    for hit in question["hits"]:
        parts = hit["parts"]
        value = sum(parts[stage][1] * parts[stage][2] for stage in ("words", "meaning", "interaction") if stage in parts)
        values.append([value, understood * parts.get("pairs", [0])[0]])
        gold.append(bool(hit["gold"]))
        factors.append(np.prod([parts[stage][1] for stage in ("decay", "repetition") if stage in parts]))
    return np.array(values), np.array(gold), np.array(factors)


def softmax(asked, least=1e-3):
    """Newton's steps to the weights under which one of the gold candidates is chosen most likely."""
    weights = np.array([5.0, *[0.0] * (len(ORDER) - 1)])
    for _ in range(60):
        slope = -least * len(asked) * weights
        curve = np.eye(len(weights)) * least * len(asked)
        for values, gold in asked:
            logits = values @ weights
            chances = np.exp(logits - logits.max())
            chances /= chances.sum()
            right = chances * gold
            slope += values.T @ (right / right.sum() - chances)
            mean = values.T @ chances
            curve += (values.T * chances) @ values - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if abs(step).max() < 1e-3:
            break
    return weights


def sure(fit, judge):
    stacked = [np.concatenate([hits(question)[0] for question in questions]) for questions in fit.values()]
    right = [np.concatenate([hits(question)[1] for question in questions]) for questions in fit.values()]
    each = np.concatenate([np.full(len(one), 1000 / len(one)) for one in right])
    values, right = np.concatenate(stacked), np.concatenate(right)
    for left_out in (None, *range(1, len(SURE))):
        kept = [at for at in range(len(SURE)) if at != left_out]
        weights = np.zeros(len(SURE))
        weights[kept] = logistic(values[:, kept], right, each)
        label = "all" if left_out is None else f"without {SURE[left_out]}"
        yield label, weights, judged(judge, weights)
        if left_out is None:
            for name, questions in judge.items():
                yield f"  {name}"[:20], [], judged({name: questions}, weights)


def judged(sets, weights):
    shares, covers = [], []
    for questions in sets.values():
        called = [(chance(question, weights) >= CALLED, hits(question)[1]) for question in questions]
        rights = np.concatenate([right[one] for one, right in called])
        shares += [100 * rights.mean()] if len(rights) else []
        covers.append(100 * np.mean([(one & (right > 0)).any() for one, right in called if right.any()] or [0]))
    return f"of answers right {np.mean(shares or [0]):5.1f}, questions with one {np.mean(covers):5.1f}"


def chance(question, weights):
    return 1 / (1 + np.exp(-hits(question)[0] @ weights))


def hits(question):
    """The evidence of the first hits, and whether each holds the answer."""
    found = question["hits"]
    strength = max(hit["parts"]["strength"][0] for hit in found)
    strength = min(max(strength, EXTREME), 1 - EXTREME)
    values = [hit["score"] / hit["parts"]["strength"][1] / hit["parts"].get("past", [0, 1])[1] for hit in found[:FIRST]]
    others = [values[0] - values[1] if len(values) > 1 else values[0], *(value - values[0] for value in values[1:])]
    evidence = [[1.0, np.log(strength / (1 - strength)), lead] for lead in others]
    return np.array(evidence), np.array([float(bool(hit["gold"])) for hit in found[:FIRST]])


def logistic(values, right, each, least=0.3):
    weights = np.zeros(values.shape[1])
    for _ in range(60):
        chances = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ ((right - chances) * each) - least * weights
        curve = (values.T * (each * chances * (1 - chances))) @ values + least * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights += step
        if abs(step).max() < 1e-5:
            break
    return weights


if __name__ == "__main__":
    main()
