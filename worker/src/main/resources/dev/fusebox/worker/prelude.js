// The globals of a script. Evaluated once in every fresh context, before the script; the functions of the worker stay
// in this closure. A script may overwrite anything that it sees: that affects only itself.
(function (worker) {
    'use strict';
    const { parse, stringify } = JSON;
    const { get, has } = Reflect;
    const { keys } = Object;
    const ErrorType = Error, TypeErrorType = TypeError, PromiseType = Promise, ProxyType = Proxy, MapType = Map;
    const SetType = Set, text = String, fromEntries = Object.fromEntries, listOf = Array.from;
    const objectNames = Object.prototype;
    const waiting = new MapType();
    const refusals = new MapType();
    let last = 0;
    let refused = 0;
    let names = [];

    // Errors have a stack trace as long as they are few: a script can provoke the same error endlessly.
    function refusalFor(reason) {
        if (++refused <= 100) {
            return new ErrorType(reason);
        }
        if (!refusals.has(reason)) {
            refusals.set(reason, new ErrorType(reason));
        }
        return refusals.get(reason);
    }

    function wait(begin, forCall) {
        return new PromiseType((resolve, reject) => {
            const id = ++last;
            const refusal = begin(id);
            if (refusal) {
                reject(refusalFor(refusal));
            } else {
                waiting.set(id, { resolve, reject, forCall });
            }
        });
    }

    function call(server, tool, args) {
        if (typeof tool !== 'string') {
            throw new TypeErrorType('servers.NAME.call(tool, args) expects the name of a tool');
        }
        const json = args === undefined || args === null ? '{}' : stringify(args);
        if (typeof args === 'function' || json === undefined || json[0] !== '{') {
            throw new TypeErrorType(server + '.' + tool + ' takes one object with its arguments by name');
        }
        return wait((id) => worker.call(id, server, tool, json), true);
    }

    // A tool with such a name is called with servers.NAME.call(tool, args).
    const isReserved = (name) => typeof name !== 'string' || name === 'then' || name === 'toJSON' || has(objectNames, name);

    const serverNamed = (server) => new ProxyType({}, {
        get(target, name) {
            if (name === 'call') {
                return (tool, args) => call(server, tool, args);
            }
            return isReserved(name) ? get(objectNames, name) : (args) => call(server, name, args);
        },
        set: () => false,
    });

    // A server with such a name is found: scripts have no use for the object properties of `servers`.
    const servers = new ProxyType({}, {
        get: (target, name) =>
            isReserved(name) && !names.includes(name) ? get(objectNames, name) : serverNamed(name),
        has: (target, name) => names.includes(name),
        ownKeys: () => names,
        getOwnPropertyDescriptor: (target, name) =>
            names.includes(name)
                ? { value: serverNamed(name), enumerable: true, configurable: true }
                : undefined,
        set: () => false,
    });

    const NOT_AWAITED = '(not awaited: write await before it, or await Promise.all(...) around a list)';

    // Text forms of values that JSON cannot express.
    function plain(key, value) {
        if (value instanceof PromiseType) {
            return NOT_AWAITED;
        }
        if (typeof value === 'bigint') {
            return text(value);
        }
        if (value instanceof MapType) {
            return fromEntries(value);
        }
        if (value instanceof SetType) {
            return listOf(value);
        }
        return value instanceof ErrorType ? { name: value.name, message: value.message } : value;
    }

    function shown(value) {
        if (typeof value === 'string') {
            return value;
        }
        if (value instanceof ErrorType) {
            return value.name + ': ' + value.message;
        }
        if (value instanceof PromiseType) {
            return NOT_AWAITED;
        }
        try {
            const json = stringify(value, plain);
            return json === undefined ? text(value) : json;
        } catch {
            return text(value);
        }
    }

    function log(mark) {
        return (...values) => worker.log(mark + values.map(shown).join(' '));
    }

    function sleep(ms) {
        return wait((id) => worker.sleep(id, +ms || 0), false);
    }

    // A script may set this to anything.
    function place(error) {
        try {
            const found = /script\.js:(\d{1,9})\b/.exec(text(error.stack));
            const line = found ? +found[1] : 0;
            return line === (line | 0) ? line : 0;
        } catch {
            return 0;
        }
    }

    function failed(error) {
        try {
            if (error instanceof ErrorType) {
                const details = error.error === undefined ? '' : stringify(error.error, plain);
                worker.failed(text(error.name), text(error.message), place(error), details || '');
            } else {
                worker.failed('Error', 'the script threw ' + shown(error), 0, '');
            }
        } catch {
            worker.failed('Error', 'the script threw something that cannot be shown', 0, '');
        }
    }

    // Tells the author of a script without await why the calls had no result.
    function tellUnawaited() {
        let calls = 0;
        for (const { forCall } of waiting.values()) {
            calls += forCall ? 1 : 0;
        }
        if (calls > 0) {
            worker.log('warn: calls that were not awaited and may have run: ' + calls);
        }
    }

    function done(value) {
        let json;
        try {
            json = stringify(value, plain);
        } catch (error) {
            throw new TypeErrorType('the result cannot be written as JSON: ' + error.message);
        }
        tellUnawaited();
        worker.done(json === undefined ? 'null' : json);
    }

    for (const [name, value] of Object.entries({
        servers,
        sleep,
        console: {
            log: log(''), info: log(''), debug: log(''), warn: log('warn: '), error: log('error: '),
        },
    })) {
        Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
    }

    return {
        // The servers as a JSON array of names.
        async start(script, servers) {
            names = parse(servers);
            try {
                done(await script());
            } catch (error) {
                failed(error);
            }
        },
        arrived(id, json) {
            const { resolve } = waiting.get(id);
            waiting.delete(id);
            resolve(parse(json));
        },
        refused(id, message, json) {
            const { reject } = waiting.get(id);
            waiting.delete(id);
            const error = new ErrorType(message);
            error.error = parse(json);
            reject(error);
        },
    };
});
