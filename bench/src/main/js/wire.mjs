// Parsers of HTTP responses, lines and events with minimal overhead.
const LINE_END = 10;
const HEAD_END = Buffer.from('\r\n\r\n');

// Splits into lines; a long line is joined once, when it is complete.
export class Lines {
  constructor(onLine) {
    this.onLine = onLine;
    this.pieces = [];
  }

  push(bytes) {
    let from = 0;
    for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, from)) {
      this.pieces.push(bytes.subarray(from, at));
      const line = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
      this.pieces = [];
      from = at + 1;
      this.onLine(line);
    }
    if (from < bytes.length) {
      this.pieces.push(bytes.subarray(from));
    }
  }
}

// Events of a stream: passes on the data of each, and its name if it has one.
export class Events {
  constructor(onEvent) {
    this.data = [];
    this.name = 'message';
    this.lines = new Lines((line) => this.line(line, onEvent));
  }

  push(bytes) {
    this.lines.push(bytes);
  }

  line(bytes, onEvent) {
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    if (end === 0) {
      if (this.data.length > 0) {
        onEvent(this.name, this.data.length === 1 ? this.data[0] : Buffer.concat(this.data));
      }
      this.data = [];
      this.name = 'message';
    } else if (bytes.indexOf('data:') === 0) {
      this.data.push(bytes.subarray(bytes[5] === 32 ? 6 : 5, end));
    } else if (bytes.indexOf('event:') === 0) {
      this.name = bytes.toString('latin1', 6, end).trim();
    }
  }
}

// The responses of one connection, one after the other. The reader receives the head, each part of the body and the
// end.
export class Responses {
  constructor(reader) {
    this.reader = reader;
    this.rest = null;
    this.step = this.head;
  }

  push(bytes) {
    let left = this.rest ? Buffer.concat([this.rest, bytes]) : bytes;
    this.rest = null;
    while (left.length > 0) {
      const used = this.step(left);
      if (used === 0) {
        this.rest = left;
        return;
      }
      left = left.subarray(used);
    }
  }

  head(bytes) {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      return 0;
    }
    const lines = bytes.toString('latin1', 0, end).split('\r\n');
    const headers = {};
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    this.chunked = headers['transfer-encoding'] === 'chunked';
    this.left = Number(headers['content-length'] ?? 0);
    this.reader.begin(Number(lines[0].slice(9, 12)), headers);
    this.step = this.chunked ? this.chunkHead : this.body;
    if (!this.chunked && this.left === 0) {
      this.end();
    }
    return end + HEAD_END.length;
  }

  body(bytes) {
    const used = Math.min(this.left, bytes.length);
    this.left -= used;
    this.reader.piece(bytes.subarray(0, used));
    if (this.left === 0) {
      if (this.chunked) {
        this.step = this.chunkEnd;
      } else {
        this.end();
      }
    }
    return used;
  }

  chunkHead(bytes) {
    const end = bytes.indexOf('\r\n');
    if (end < 0) {
      return 0;
    }
    this.left = parseInt(bytes.toString('latin1', 0, end), 16);
    this.step = this.left === 0 ? this.lastChunkEnd : this.body;
    return end + 2;
  }

  chunkEnd(bytes) {
    this.step = this.chunkHead;
    return this.lineEnd(bytes, this.chunkHead);
  }

  lastChunkEnd(bytes) {
    const used = this.lineEnd(bytes, this.head);
    if (used > 0) {
      this.end();
    }
    return used;
  }

  lineEnd(bytes, next) {
    if (bytes.length < 2) {
      this.step = next === this.head ? this.lastChunkEnd : this.chunkEnd;
      return 0;
    }
    this.step = next;
    return 2;
  }

  end() {
    this.step = this.head;
    this.reader.end();
  }
}
