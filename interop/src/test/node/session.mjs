// What only a session over HTTP has: streams that break, a client that listens late, an end. The argument is a target.
import { Peer, report } from './peer.mjs';

const target = JSON.parse(process.argv[2]);

/** Hands the body on up to the end of the event that has this text, then breaks the connection. */
function brokenAfter(text, response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let read = '';
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      const before = read.length;
      read += done ? '' : decoder.decode(value, { stream: true });
      const found = read.indexOf(text);
      const end = found < 0 ? -1 : read.indexOf('\n\n', found);
      controller.enqueue(new TextEncoder().encode(read.slice(before, end < 0 ? undefined : end + 2)));
      if (end >= 0) {
        await reader.cancel();
        controller.close();
      } else if (done) {
        controller.close();
      }
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

async function resumed() {
  const lastSeen = [];
  const peer = new Peer(target, async (url, init) => {
    const lastEventId = new Headers(init.headers).get('last-event-id');
    if (lastEventId !== null) lastSeen.push(lastEventId);
    const response = await fetch(url, init);
    return String(init.body).includes('test_tool_with_progress') ? brokenAfter('"progress":0', response) : response;
  });
  await peer.connect();
  const answer = await peer.call('test_tool_with_progress', {}, { onprogress: () => {} });
  const said = await peer.take('notifications/progress', 3);
  await peer.close();
  return { answer, steps: said.map((message) => message.params.progress), resumptions: lastSeen.length };
}

async function cancelled() {
  const statuses = [];
  let listened = 0;
  let resume;
  const hasResumed = new Promise((resolve) => (resume = resolve));
  const peer = new Peer(target, async (url, init) => {
    const response = await fetch(url, init);
    if (new Headers(init.headers).has('last-event-id')) {
      statuses.push(response.status);
      resume();
    } else if (init.method === 'GET') {
      listened++;
    }
    return response;
  });
  await peer.connect();
  const stop = new AbortController();
  const progressing = { signal: stop.signal, onprogress: () => stop.abort() };
  await peer.client
    .callTool({ name: 'echo', arguments: { fault: 'progress-forever=20' } }, undefined, progressing)
    .catch(() => {});
  await hasResumed;
  // Time enough for more attempts, if there were any: each of these calls takes a tenth of a second.
  for (let call = 0; call < 5; call++) await peer.call('test_tool_with_progress');
  await peer.close();
  return { statuses, listened };
}

async function heardLate() {
  let listen;
  const mayListen = new Promise((resolve) => (listen = resolve));
  const peer = new Peer(target, async (url, init) => {
    if (init.method === 'GET') await mayListen;
    return fetch(url, init);
  });
  await peer.connect();
  const answer = await peer.call('test_trigger_tool_change');
  const before = peer.heard.length;
  listen();
  const after = await peer.take('notifications/tools/list_changed', 1);
  await peer.close();
  return { answer, before, after };
}

async function missed() {
  let comeBack;
  const mayComeBack = new Promise((resolve) => (comeBack = resolve));
  let first = true;
  const peer = new Peer(target, async (url, init) => {
    if (init.method !== 'GET') return fetch(url, init);
    if (!first) await mayComeBack;
    const response = await fetch(url, init);
    const broken = first ? brokenAfter('list_changed', response) : response;
    first = false;
    return broken;
  });
  await peer.connect();
  await peer.call('test_trigger_tool_change');
  const before = (await peer.take('notifications/tools/list_changed', 1)).length;
  await peer.call('test_trigger_tool_change');
  const meanwhile = peer.heard.length;
  comeBack();
  const after = (await peer.take('notifications/tools/list_changed', 1)).length;
  await peer.call('test_trigger_tool_change');
  const next = (await peer.take('notifications/tools/list_changed', 1)).length;
  await peer.close();
  return { before, meanwhile, after, next };
}

async function terminated() {
  const peer = new Peer(target);
  await peer.connect();
  const id = peer.transport.sessionId;
  const ping = async () => {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': id,
        'mcp-protocol-version': peer.transport.protocolVersion,
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    await response.body?.cancel();
    return response.status;
  };
  const alive = await ping();
  await peer.transport.terminateSession();
  const dead = await ping();
  await peer.close();
  return { alive, dead };
}

async function sideBySide() {
  const peers = [new Peer(target), new Peer(target)];
  await Promise.all(peers.map((peer) => peer.connect()));
  const [first, second] = peers;
  await first.call('test_trigger_tool_change');
  const heard = await first.take('notifications/tools/list_changed', 1);
  const count = async (peer) => (await peer.call('count', { tool: 'test_trigger_tool_change' })).content[0].text;
  const counts = [await count(first), await count(second)];
  const overheard = second.heard.length;
  await Promise.all(peers.map((peer) => peer.close()));
  return { heard: heard.length, counts, overheard, ownIds: first.transport.sessionId !== second.transport.sessionId };
}

await report({ resumed, cancelled, heardLate, missed, terminated, sideBySide });
