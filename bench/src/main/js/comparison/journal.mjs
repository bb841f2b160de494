// Reader of the faulty servers' journals, and of their live processes.
import fs from 'node:fs';

export class Journal {
  constructor(file) {
    this.file = file;
    fs.writeFileSync(file, '');
  }

  lines() {
    return fs.readFileSync(this.file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }

  starts() {
    return this.lines().filter((line) => line.what === 'start').length;
  }

  calls(tool) {
    return this.lines().filter((line) => line.what === 'call' && line.tool === tool).length;
  }

  cancelled() {
    return this.lines().filter((line) => line.what === 'cancelled').length;
  }

  // A process counts only if it was started for this journal: process ids are reused.
  living() {
    const pids = new Set(this.lines().map((line) => line.pid));
    return [...pids].filter((pid) => commandOf(pid).includes(this.file));
  }
}

function commandOf(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
