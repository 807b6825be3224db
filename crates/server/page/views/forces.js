// Where the dots of a graph come to rest: they push each other away, lines pull them together, and the middle holds all.
const PUSH = 5200;
const PULL = 0.035;
const LENGTH = 105;
const MIDDLE = 0.012;
const FRICTION = 0.82;

// One step; `heat` goes from 1 to 0 as the picture cools. Nodes are { x, y, vx, vy, held }.
export function step(nodes, links, heat) {
  push(nodes, heat);
  for (const { a, b } of links) pull(a, b, heat);
  for (const node of nodes) move(node, heat);
}

function push(nodes, heat) {
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const [a, b] = [nodes[i], nodes[j]];
      const dx = a.x - b.x || (i - j) * 0.1;
      const dy = a.y - b.y || 0.1;
      const square = Math.max(60, dx * dx + dy * dy);
      const force = (PUSH / square) * heat / Math.sqrt(square);
      a.vx += dx * force;
      a.vy += dy * force;
      b.vx -= dx * force;
      b.vy -= dy * force;
    }
  }
}

function pull(a, b, heat) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const far = Math.hypot(dx, dy) || 1;
  const force = ((far - LENGTH) / far) * PULL * heat;
  a.vx += dx * force;
  a.vy += dy * force;
  b.vx -= dx * force;
  b.vy -= dy * force;
}

function move(node, heat) {
  if (node.held) {
    node.vx = node.vy = 0;
    return;
  }
  node.vx = (node.vx - node.x * MIDDLE * heat) * FRICTION;
  node.vy = (node.vy - node.y * MIDDLE * 1.4 * heat) * FRICTION;
  node.x += node.vx;
  node.y += node.vy;
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
