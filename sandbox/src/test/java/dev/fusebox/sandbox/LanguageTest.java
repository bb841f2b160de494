package dev.fusebox.sandbox;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.sandbox.ScriptReport.CallMade;
import dev.fusebox.sandbox.ScriptReport.Ended;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the script language, one script after the other in one worker.
@Tag("process")
class LanguageTest {
    private static final Bench BENCH = new Bench();

    @AfterAll
    static void close() {
        BENCH.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "1 + 1 | 2",
                "return 7 | 7",
                "const a = 3; a * 2 | 6",
                "await Promise.resolve(5) | 5",
                "if (true) { return 'x' } | \"x\"",
                "f(); function f() { return 3 } | 3",
                "undefined | null",
                "let a = 1 | null",
                "'' | null",
                "({a: [1, null, 'two']}) | {\"a\":[1,null,\"two\"]}",
                "[new Map([['a', 1]]), new Set([1]), 12345678901234567890n] | "
                        + "[{\"a\":1},[1],\"12345678901234567890\"]",
                "await servers.files.echo({n: 5}) | {\"n\":5}",
                "await servers.files['laid-out']() | {\"a\":[1]}",
                "(await servers.files.deep({ bytes: 128 })).length | 1",
                "(await servers.files.echo({n: 5})).n * 2 | 10",
                "await servers['mail-box'].who() | \"mail-box\"",
                "await servers.files.call('call', {x: 1}) | {\"x\":1}",
                "await servers.files.call('then', {x: 1}) | {\"x\":1}",
                "await servers.files.call('toString', {x: 1}) | {\"x\":1}",
                "const [a, b] = await Promise.all([servers.files.echo({a: 1}), servers.files.echo({b: 2})]); "
                        + "({...a, ...b}) | {\"a\":1,\"b\":2}",
                "try { await servers.files.fail() } catch (e) { e.message } | null",
                "try { await servers.files.fail() } catch (e) { return [e instanceof Error, e.message, e.error.code] }"
                        + " | [true,\"files is down\",\"breaker_open\"]",
                "const before = Date.now(); await sleep(20); Date.now() - before >= 19 | true",
                "const r = Math.random(); r >= 0 && r < 1 | true",
                "new Date(0).toISOString() | \"1970-01-01T00:00:00.000Z\"",
                "Object.keys(servers) | [\"files\",\"mail-box\"]",
                "'files' in servers && !('nobody' in servers) | true",
                "(await Promise.allSettled([servers.files.fail(), servers.files.echo({})])).map(p => p.status) |"
                        + " [\"rejected\",\"fulfilled\"]",
                "class P { #x = 1; static y = 2; has(o) { return #x in o } } new P().has(new P()) | true",
                "for await (const x of (async function* () { yield 1 })()) { return x } | 1",
                "'a,b'.split(/,/).map(x => x.toUpperCase()).join('+') | \"A+B\"",
            })
    void result_is_the_returned_value_or_the_last_expression(String code, String result) throws InterruptedException {
        ScriptReport report = BENCH.run(code == null ? "" : code.equals("''") ? "" : code);
        assertThat(report.ended()).isEqualTo(new Ended.Finished(JsonView.of(result)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "throw new TypeError('no') | TypeError | no | 1",
                "let x = 1;@x.y.z | TypeError | undefined | 2",
                "let x = ; | SyntaxError | Expected an operand | 1",
                "throw 'text' | Error | text | 0",
                "await new Promise(() => {}) | Error | never settles | 0",
                "const a = {}; a.a = a; a | TypeError | cannot be written as JSON | 0",
                "await servers.files.echo(5) | TypeError | takes one object | 1",
                "await servers.files.echo([5]) | TypeError | takes one object | 1",
                "await servers.files.fail() | Error | files is down | 0",
            })
    void failed_script_reports_error_and_line(String code, String kind, String message, int line)
            throws InterruptedException {
        Ended ended = BENCH.run(code.replace('@', '\n')).ended();
        assertThat(ended).isInstanceOf(Ended.Threw.class);
        Ended.Threw threw = (Ended.Threw) ended;
        assertThat(threw.kind()).isEqualTo(kind);
        assertThat(threw.message()).contains(message);
        if (line > 0) {
            assertThat(threw.line()).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "let x = ; | Expected an operand but found ;, at line 1, column 9 | 1",
                "let a = 1;@a b | Expected ; but found b, at line 2, column 3 | 2",
                "const a = 1;@@  const a = 2; | Variable \"a\" has already been declared, at line 3, column 9 | 3",
                "[1, 2 | Expected comma but found }, at its end | 1",
                "import x from 'y' | Expected an operand but found import, at line 1, column 1 | 1",
                "} | Expected ) but found }, at its end | 1",
            })
    void syntax_error_is_reported_with_the_position_in_the_authors_text(String code, String message, int line)
            throws InterruptedException {
        assertThat(BENCH.run(code.replace('@', '\n')).ended())
                .isEqualTo(new Ended.Threw("SyntaxError", message, line, null));
    }

    @Test
    void data_passed_between_servers_may_exceed_the_output_limit() throws InterruptedException {
        try (Bench bench = new Bench(SandboxLimits.defaults().withMaxOutputBytes(100))) {
            ScriptReport report = bench.run("(await servers.files.echo({ a: 'x'.repeat(900_000) })).a.length");
            assertThat(report.ended()).isEqualTo(new Ended.Finished(JsonView.of("900000")));
        }
    }

    @ParameterizedTest
    @CsvSource({"then", "toString", "constructor", "hasOwnProperty", "__proto__", "toJSON"})
    void server_may_have_the_name_of_an_object_property(String name) throws InterruptedException {
        ScriptReport report = BENCH.run("await servers." + name + ".who()", List.of(name));
        assertThat(report.ended()).isEqualTo(new Ended.Finished(JsonView.of("\"" + name + "\"")));
    }

    @Test
    void error_of_an_uncaught_failed_call_is_reported() throws InterruptedException {
        Ended ended = BENCH.run("await servers.files.fail()").ended();
        assertThat(((Ended.Threw) ended).error()).isEqualTo(JsonView.of("{\"code\":\"breaker_open\"}"));
    }

    @Test
    void log_lines_are_kept_in_order() throws InterruptedException {
        ScriptReport report =
                BENCH.run("console.log('a', {b: 1}, [2]); console.warn('w'); console.error(new Error('e'))");
        assertThat(report.logs()).containsExactly("a {\"b\":1} [2]", "warn: w", "error: Error: e");
    }

    @Test
    void missing_await_is_reported_in_place_of_the_result() throws InterruptedException {
        ScriptReport report = BENCH.run(
                "const one = servers.files.echo({n: 1}); console.log(one); const all = {list: [one], n: 2}; all");
        assertThat(report.ended())
                .isInstanceOfSatisfying(
                        Ended.Finished.class,
                        finished -> assertThat(finished.result().json())
                                .contains("\"list\":[\"(not awaited: write await", "\"n\":2"));
        assertThat(report.logs().getFirst()).startsWith("(not awaited: ");
    }

    @Test
    void calls_pending_at_the_end_of_a_script_are_reported() throws InterruptedException {
        assertThat(BENCH.run("servers.files.hang(); sleep(60000); 7").logs())
                .containsExactly("warn: calls that were not awaited and may have run: 1");
        assertThat(BENCH.run("sleep(60000); await servers.files.echo({})").logs())
                .isEmpty();
    }

    @Test
    void every_call_is_reported_with_its_success() throws InterruptedException {
        ScriptReport report = BENCH.run("await servers.files.echo(); await servers.nobody.fail().catch(() => 0)");
        assertThat(report.calls()).extracting(CallMade::server).containsExactly("files", "nobody");
        assertThat(report.calls()).extracting(CallMade::tool).containsExactly("echo", "fail");
        assertThat(report.calls()).extracting(CallMade::ok).containsExactly(true, false);
    }

    @Test
    void independent_calls_run_concurrently() throws InterruptedException {
        try (Bench bench = new Bench(SandboxLimits.defaults().withMaxCalls(3))) {
            Thread.ofVirtual().start(() -> {
                try {
                    bench.run("await Promise.all([1, 2, 3].map(() => servers.files.hang()))");
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            eventually(
                    "three calls are under way",
                    () -> assertThat(bench.underWay.get()).isEqualTo(3));
        }
    }

    @Test
    void script_leaves_no_trace_for_the_next() throws InterruptedException {
        BENCH.run("globalThis.secret = 1; Array.prototype.map = () => 'mine'; Object.prototype.x = 'mine';"
                + " JSON.stringify = () => '\"mine\"'; Promise.prototype.then = null; RegExp.prototype.spy = 1;"
                + " /(secret)/.exec('secret'); servers.files = 'mine'; console.log = null");
        List<String> looks = List.of(
                "typeof secret",
                "[1].map(x => x + 1)[0]",
                "typeof ({}).x",
                "typeof /a/.spy",
                "typeof servers.files.echo",
                "RegExp.$1");
        ScriptReport report = BENCH.run("[" + String.join(",", looks) + "]");
        assertThat(report.ended())
                .isEqualTo(new Ended.Finished(
                        JsonView.of("[\"undefined\",2,\"undefined\",\"undefined\",\"function\",\"\"]")));
    }

    @ParameterizedTest
    @CsvSource({
        "Java",
        "Packages",
        "java",
        "Polyglot",
        "Graal",
        "load",
        "loadWithNewGlobal",
        "print",
        "quit",
        "exit",
        "require",
        "process",
        "fetch",
        "XMLHttpRequest",
        "WebAssembly",
        "SharedArrayBuffer",
        "Atomics",
        "performance",
        "Temporal",
        "setTimeout",
        "readFully",
        "importScripts",
        "Worker"
    })
    void unneeded_global_is_undefined(String name) throws InterruptedException {
        assertThat(BENCH.run("typeof " + name).ended()).isEqualTo(new Ended.Finished(JsonView.of("\"undefined\"")));
    }
}
