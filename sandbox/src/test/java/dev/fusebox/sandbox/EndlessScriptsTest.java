package dev.fusebox.sandbox;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of scripts that never end by themselves.
///
/// Takes over five seconds: each ends with its worker, and the next needs a new one, which starts while another
/// script runs on another worker.
@Tag("process")
class EndlessScriptsTest {
    private static final Duration LIMIT = Duration.ofMillis(500);

    @RegisterExtension
    static final WarmSandboxes SANDBOXES = new WarmSandboxes();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (true);",
                "for (;;) { try { throw 1 } catch {} }",
                "const f = () => Promise.resolve().then(f); await f()",
                "(async function f() { for (;;) await 0 })(); await sleep(1e9)",
                "await sleep(1e9)",
                "await sleep(Infinity)",
                "for (;;) await sleep(0)",
                "/^(?:(a+)+)+\\1b$/.test('a'.repeat(60))",
                "let n = 3n; for (;;) n = n * n",
                "/(x+x+)+(?=y)\\1z/.test('x'.repeat(40))",
                "const o = {}; Object.defineProperty(o, 'toJSON', { value() { while (true); } }); o",
                "({ get then() { while (true); } })",
                "new Proxy({}, { ownKeys() { while (true); } })",
                "console.log({ toJSON() { while (true); } })",
                "throw { get message() { while (true); }, toString() { while (true); }, toJSON() { while (true); } }",
                "await servers.files.hang()",
                "servers.files.hang(); for (;;) await sleep(1)",
                "await Promise.all(Array.from({length: 20}, () => servers.files.hang()))",
                "[3, 1, 2].sort(() => { while (true); })",
                "({ then(resolve) { resolve(this) } })",
                "for await (const x of (async function* () { for (;;) yield 1 })()) {}",
                "const e = new Error(); e.stack = { toString() { for (;;); } }; throw e",
                "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
            })
    void endless_script_is_stopped_at_its_time_limit(String code) throws InterruptedException {
        ScriptReport report = SANDBOXES.bench().run(code, LIMIT);
        assertThat(report.ended()).as("%s", report).isInstanceOf(Ended.Stopped.class);
        assertThat(((Ended.Stopped) report.ended()).reason()).isEqualTo(Reason.TIME);
        eventually(
                "no call is under way",
                () -> assertThat(SANDBOXES.bench().underWay.get()).isEqualTo(0));
    }
}
