// The storage of oidc-provider in memory, shared by servers that follow one another under the same address.
const NEVER = Number.POSITIVE_INFINITY;

export class Storage {
  #entries = new Map();

  /** What oidc-provider calls an adapter: the entries of one kind. */
  of(kind) {
    const keyOf = (id) => `${kind}:${id}`;
    return {
      find: async (id) => this.#live(keyOf(id)),
      findByUid: async (uid) => this.#first((key, { payload }) => key.startsWith(`${kind}:`) && payload.uid === uid),
      findByUserCode: async (code) => this.#first((_key, { payload }) => payload.userCode === code),
      upsert: async (id, payload, seconds) => {
        const until = seconds === undefined ? NEVER : Date.now() + seconds * 1000;
        this.#entries.set(keyOf(id), { payload: { ...payload }, until });
      },
      consume: async (id) => {
        const payload = this.#live(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => this.#entries.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => this.#remove(({ payload }) => payload.grantId === grantId),
    };
  }

  /** Takes back all that clients hold: nobody is logged in any more. Clients stay registered. */
  revokeAll() {
    this.#remove((_entry, key) => !key.startsWith('Client:'));
  }

  #live(key) {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.payload : undefined;
  }

  #first(matches) {
    const found = [...this.#entries].find(([key, entry]) => entry.until > Date.now() && matches(key, entry));
    return found?.[1].payload;
  }

  #remove(matches) {
    for (const [key, entry] of [...this.#entries]) {
      if (matches(entry, key)) this.#entries.delete(key);
    }
  }
}
