// Tables of figures beside their goals. A figure is [what, value, goal, isMet, unit]; isMet is null if there is no goal.
import os from 'node:os';

const cell = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value));

const verdict = (isMet) => (isMet === null ? 'reported' : isMet ? 'met' : '**missed**');

export function rows(name, { figures }) {
  return figures.map(
    ([what, value, goal, isMet, unit = '']) =>
      `| ${name} | ${what} | ${cell(value)} ${unit} | ${cell(goal)} ${goal === 'none' ? '' : unit} | ${verdict(isMet)} |`.replace(/ +/g, ' '),
  );
}

export const machine = () =>
  `${new Date().toISOString().slice(0, 10)}; ${os.type()} ${os.arch()}, ${os.cpus().length} processors, ` +
  `${os.loadavg()[0].toFixed(1)} runnable processes at the end; Node ${process.versions.node}.`;

export const isMissed = ({ figures }) => figures.some((figure) => figure[3] === false);
