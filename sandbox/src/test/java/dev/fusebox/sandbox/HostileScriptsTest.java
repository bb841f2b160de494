package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of malicious scripts. Each ends with a reason and leaves nothing behind.
///
/// Takes over five seconds: a dozen of them end with their worker, and the next needs a new one, which starts while
/// another script runs on another worker.
@Tag("process")
class HostileScriptsTest {
    @RegisterExtension
    static final WarmSandboxes SANDBOXES = new WarmSandboxes();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const all = []; for (;;) all.push(new Array(1e5).fill(all.length))",
                "let s = 'x'; for (;;) s += s + Math.random()",
                "const all = []; for (;;) all.push(new Uint8Array(1e6))",
                "const all = []; for (;;) all.push(new ArrayBuffer(4e6))",
                "new Float64Array(2e9 / 16).fill(1)",
                "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'value ' + i)",
                "let o = {}; for (let i = 0; ; i++) o['key' + i] = i",
                "const all = []; for (let i = 0; ; i++) all.push(new Function('return ' + i + ';' + ' '.repeat(1e5)))",
                "let link = null; for (;;) link = { link, text: 'x'.repeat(100) + Math.random() }",
                "const all = []; for (;;) { all.push(Promise.resolve(new Array(1e4).fill(0))) }",
                "JSON.parse('[' + '1,'.repeat(3e7) + '1]')",
            })
    void script_over_its_memory_limit_is_stopped(String code) throws InterruptedException {
        Ended ended = SANDBOXES.bench().run(code, Bench.LONG).ended();
        // Some values are too large for the engine itself, which reports that.
        if (ended instanceof Ended.Threw(String kind, String message, int line, var error)) {
            assertThat(kind).isEqualTo("RangeError");
        } else {
            assertThat(((Ended.Stopped) ended).reason()).isEqualTo(Reason.MEMORY);
            assertThat(((Ended.Stopped) ended).message()).contains("64 MB");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (;;) console.log('x'.repeat(100))",
                "for (;;) console.log('')",
                "'x'.repeat(1e6)",
                "console.log('x'.repeat(1e6))",
                "console.error('\\u0000'.repeat(199000)); 'x'.repeat(2000)",
                "throw new Error('x'.repeat(1e6))",
                "new Array(1e5).fill('x')",
            })
    void script_over_its_output_limit_is_stopped(String code) throws InterruptedException {
        ScriptReport report = SANDBOXES.bench().run(code, Bench.LONG);
        assertThat(reason(report)).isEqualTo(Reason.OUTPUT);
        assertThat(String.join("", report.logs())).hasSizeLessThanOrEqualTo(200_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(function f() { f() })()",
                "const f = (n) => [n].map(() => f(n + 1)); f(0)",
                "class A { get a() { return this.a } }; new A().a",
                "'x'.repeat(2 ** 30)",
                "new Array(-1)",
                "let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; deep",
                "const p = new Proxy({}, { get() { return p.x } }); p.x",
                "JSON.parse('['.repeat(1e5))",
                "import('fs')",
                "await servers.files.big({ bytes: 150000000 })",
                "await import('file:///etc/passwd')",
                "await import('https://localhost/x.js')",
                "this.constructor.constructor('return process')().exit()",
                "Java.type('java.lang.System').exit(0)",
                "(() => {}).constructor('return load')()('x')",
                "for (;;) { await servers.files.echo() }",
                "await Promise.all(Array.from({length: 1000}, () => servers.files.echo()))",
                "await Promise.all(Array.from({length: 20000}, () => sleep(1000)))",
                "})(); throw new Error('outside'); (async () => {",
                "const e = new Error(); e.stack = 'script.js:99999999999999'; throw e",
                "RegExp.prototype.exec = () => ({ 1: 1e300 }); throw new Error()",
                "let deep = []; for (let i = 0; i < 500; i++) deep = [deep];"
                        + " throw Object.assign(new Error(), { error: deep })",
                "const e = new Error(); e.error = e; throw e",
                "Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1 } }); throw 5",
                "({ get a() { throw { get message() { throw 1 } } } })",
                "new Proxy([1], { get: (list, name) => name === 'length' ? 2 ** 32 : list[name] })",
                "const m = new Map(); m.set('a', m); m",
                "const more = () => ({ toJSON: () => ({ more: more() }) }); more()",
                "await servers.files.echo({ n: 10n })",
                "await servers.files.echo({ a: 'x'.repeat(2e6) })",
                "await servers.files.call('x'.repeat(1e6), {})",
                "await servers.files.bug()",
                "await sleep(Symbol())",
                "Map.prototype.set = () => {}; await servers.files.echo()",
                "Map.prototype.get = () => ({ resolve() {} }); await servers.files.echo()",
                "Array.prototype.map = () => 1; console.log(1)",
                "Object.defineProperty(Map, Symbol.hasInstance, { value: () => true }); ({ a: 1 })",
                "servers.__proto__.polluted = 1",
                "(() => sleep.caller)()",
                "Math.max(...Array(1e6))",
                "class P extends Promise { then(a, b) { return super.then(a, b).then(x => x) } }; await P.resolve(1)",
                "Atomics.wait(new Int32Array(4), 0, 0)",
                "import.meta",
            })
    void script_that_violates_a_rule_fails_with_an_error(String code) throws InterruptedException {
        assertThat(SANDBOXES.bench().run(code, Bench.LONG).ended()).isInstanceOf(Ended.Threw.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[", "{", "!", "1 + ", "a => ", "f(", "`${", "if (1) ", "a ? b : "})
    void code_that_is_nested_too_deeply_fails_with_an_error(String opening) throws InterruptedException {
        Ended.Threw threw = (Ended.Threw)
                SANDBOXES.bench().run(opening.repeat(20_000) + "1", Bench.LONG).ended();
        assertThat(threw.kind()).isIn("RangeError", "SyntaxError");
        assertThat(threw.message()).hasSizeLessThan(200).doesNotContain("script.js");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "await servers.files.big({ bytes: 70000000 }) | execute.memoryMb",
                "await servers.files.echo({ a: 'x'.repeat(2e6) }) | execute.maxOutputBytes",
                "for (;;) await servers.files.echo() | execute.maxCalls",
            })
    void exceeded_limit_is_reported_with_its_configuration_key(String code, String key) throws InterruptedException {
        String said = switch (SANDBOXES.bench().run(code, Bench.LONG).ended()) {
            case Ended.Threw threw -> threw.message();
            case Ended.Stopped stopped -> stopped.message();
            case Ended.Finished finished -> "nothing";
        };
        assertThat(said).contains(key);
    }

    @Test
    void call_with_a_too_large_result_has_a_complete_error() throws InterruptedException {
        ScriptReport report = SANDBOXES.bench().run("await servers.files.big({ bytes: 70000000 })", Bench.LONG);
        JsonView error = Objects.requireNonNull(((Ended.Threw) report.ended()).error());
        assertThat(error.string("code")).isEqualTo("limit_exceeded");
        assertThat(error.string("server")).isEqualTo("files");
        assertThat(error.string("tool")).isEqualTo("big");
        assertThat(error.string("outcome")).isEqualTo("unknown");
        assertThat(error.string("message")).contains("70000002");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(async () => {}).constructor('return typeof process + typeof Java')().then(s => s === 'undefined'"
                        + " + 'undefined')",
                "(function* () {}).constructor('yield typeof Java')().next().value === 'undefined'",
                "(await servers.files.echo(JSON.parse('{\"__proto__\": {\"evil\": 1}}'))).evil === undefined",
                "let seen = 0; Error.prepareStackTrace = (e, sites) => { seen += sites.filter(s =>"
                        + " s.getThis() !== undefined && s.getThis() !== globalThis).length };"
                        + " try { await servers.files.call(5) } catch (e) { e.stack } seen === 0",
                "Object.getPrototypeOf(Object.getPrototypeOf(servers.files.echo)) === Object.prototype",
                "const e = await servers.files.fail().catch(e => e);"
                        + " Object.getPrototypeOf(e) === Error.prototype && e.constructor === Error",
                "servers.constructor.constructor('return typeof process + typeof Java')() === 'undefinedundefined'",
                "typeof sleep.constructor('return typeof Java')() === 'string' && typeof Java === 'undefined'",
                "Object.getOwnPropertyNames(globalThis).every(n => !/java|polyglot|graal|host|worker/i.test(n))",
                "console.log.constructor === Function",
                "let held; try { (function f() { f() })() } catch (e) { held = e };"
                        + " held instanceof RangeError && Object.getPrototypeOf(held) === RangeError.prototype",
            })
    void script_cannot_reach_host_objects(String code) throws InterruptedException {
        assertThat(SANDBOXES.bench().run(code).ended()).isEqualTo(new Ended.Finished(JsonView.of("true")));
    }

    @Test
    void stopped_script_reports_the_first_and_last_log_lines() throws InterruptedException {
        ScriptReport report = SANDBOXES.bench().run("for (let i = 0; ; i++) console.log('line ' + i)");
        assertThat(reason(report)).isEqualTo(Reason.OUTPUT);
        assertThat(report.logs()).startsWith("line 0", "line 1").hasSizeLessThan(10_000);
    }

    @Test
    void output_after_the_end_of_a_script_is_ignored() throws InterruptedException {
        ScriptReport report =
                SANDBOXES.bench().run("(async () => { for (;;) { await 0; console.log('late') } })(); return 1");
        assertThat(report.ended()).isInstanceOf(Ended.Finished.class);
        assertThat(SANDBOXES.bench().run("2").ended()).isInstanceOf(Ended.Finished.class);
    }

    private static Reason reason(ScriptReport report) {
        assertThat(report.ended()).as("%s", report).isInstanceOf(Ended.Stopped.class);
        return ((Ended.Stopped) report.ended()).reason();
    }
}
