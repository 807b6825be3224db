// Where the dots of a graph come to rest: they push each other away, lines pull them together, and a cluster keeps together.
const ROUNDS = 170;

// Nodes are { x, y, r, cluster }, links { a, b, weight } with places in nodes. They are moved until the picture is still; there is no
// motion to wait for. The same graph always gives the same picture.
export function rest(nodes, links, width, height) {
  const heads = [...new Set(nodes.map((node) => node.cluster))];
  const ring = Math.min(width, height) * 0.3;
  nodes.forEach((node, index) => {
    const turn = (heads.indexOf(node.cluster) / heads.length) * 2 * Math.PI;
    const own = index * 2.4;
    node.x = Math.cos(turn) * ring * (width / height) + Math.cos(own) * 36;
    node.y = Math.sin(turn) * ring + Math.sin(own) * 36;
    node.vx = node.vy = 0;
  });
  const heaviest = Math.max(1e-6, ...links.map((link) => link.weight));
  const space = Math.sqrt((width * height) / Math.max(1, nodes.length));
  for (let round = 0; round < ROUNDS; round += 1) {
    const heat = 1 - round / ROUNDS;
    push(nodes, space);
    for (const { a, b, weight } of links) pull(nodes[a], nodes[b], space, 0.02 + 0.1 * (weight / heaviest));
    gather(nodes);
    for (const node of nodes) move(node, heat, width, height);
  }
}

function push(nodes, space) {
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const [a, b] = [nodes[i], nodes[j]];
      const dx = a.x - b.x || (i - j) * 0.1;
      const dy = a.y - b.y || 0.1;
      const far = Math.max(8, Math.hypot(dx, dy));
      const room = space * 0.9 + a.r + b.r;
      if (far > room * 2.5) continue;
      const force = ((room / far) ** 2 * 1.6) / far;
      a.vx += dx * force;
      a.vy += dy * force;
      b.vx -= dx * force;
      b.vy -= dy * force;
    }
  }
}

function pull(a, b, space, strength) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const far = Math.hypot(dx, dy) || 1;
  const force = ((far - space * 0.8) / far) * strength;
  a.vx += dx * force;
  a.vy += dy * force;
  b.vx -= dx * force;
  b.vy -= dy * force;
}

function gather(nodes) {
  const middles = new Map();
  for (const node of nodes) {
    const middle = middles.get(node.cluster) ?? { x: 0, y: 0, n: 0 };
    middles.set(node.cluster, { x: middle.x + node.x, y: middle.y + node.y, n: middle.n + 1 });
  }
  for (const node of nodes) {
    const { x, y, n } = middles.get(node.cluster);
    node.vx += (x / n - node.x) * 0.02 - node.x * 0.008;
    node.vy += (y / n - node.y) * 0.02 - node.y * 0.012;
  }
}

function move(node, heat, width, height) {
  const fast = Math.hypot(node.vx, node.vy);
  const most = 24 * heat + 0.2;
  const by = fast > most ? most / fast : 1;
  const edge = (value, half) => Math.max(-half, Math.min(half, value));
  node.x = edge(node.x + node.vx * by, width / 2 - 60);
  node.y = edge(node.y + node.vy * by, height / 2 - 36);
  node.vx *= 0.6;
  node.vy *= 0.6;
}

// The node that lies nearest in a direction; the angle counts more than the way.
export function towards(nodes, from, [dx, dy]) {
  let best = null;
  for (const node of nodes) {
    if (node === from) continue;
    const [x, y] = [node.x - from.x, node.y - from.y];
    const far = Math.hypot(x, y) || 1;
    const along = (x * dx + y * dy) / far;
    if (along < 0.4) continue;
    const cost = far / (along * along);
    if (!best || cost < best.cost) best = { node, cost };
  }
  return best?.node ?? null;
}
