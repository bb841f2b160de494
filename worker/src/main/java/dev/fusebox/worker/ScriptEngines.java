package dev.fusebox.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;

/// The script engine, and the factory of contexts: each script gets a fresh context. For one thread.
final class ScriptEngines implements AutoCloseable {
    /// Features that scripts must not have, in addition to what every context denies.
    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("js.ecmascript-version", "2025"),
            Map.entry("js.java-package-globals", "false"),
            Map.entry("js.polyglot-builtin", "false"),
            Map.entry("js.graal-builtin", "false"),
            Map.entry("js.load", "false"),
            Map.entry("js.print", "false"),
            Map.entry("js.console", "false"),
            Map.entry("js.performance", "false"),
            Map.entry("js.temporal", "false"),
            Map.entry("js.webassembly", "false"),
            Map.entry("js.shared-array-buffer", "false"),
            Map.entry("js.atomics", "false"),
            Map.entry("js.direct-byte-buffer", "false"),
            // A millisecond, in nanoseconds: no finer clock.
            Map.entry("js.timer-resolution", "1000000"));

    private final Engine engine;
    private final Source prelude;

    private ScriptEngines(Engine engine, Source prelude) {
        this.engine = engine;
        this.prelude = prelude;
    }

    static ScriptEngines open() throws IOException {
        Engine engine = Engine.newBuilder("js")
                .allowExperimentalOptions(true)
                .option("engine.WarnInterpreterOnly", "false")
                .in(InputStream.nullInputStream())
                .out(NullOutput.STREAM)
                .err(NullOutput.STREAM)
                .build();
        try (InputStream in = Objects.requireNonNull(ScriptEngines.class.getResourceAsStream("prelude.js"))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new ScriptEngines(engine, Source.create("js", text));
        }
    }

    /// A fresh context.
    ScriptContext scriptContext() {
        Context context = Context.newBuilder("js")
                .engine(engine)
                .allowAllAccess(false)
                .allowHostAccess(HostAccess.NONE)
                .allowIO(IOAccess.NONE)
                .allowPolyglotAccess(PolyglotAccess.NONE)
                .allowEnvironmentAccess(EnvironmentAccess.NONE)
                .allowExperimentalOptions(true)
                .options(OPTIONS)
                .build();
        HostFunctions hostFunctions = new HostFunctions();
        return new ScriptContext(context, hostFunctions, context.eval(prelude).execute(hostFunctions.asValue()));
    }

    @Override
    public void close() {
        engine.close(true);
    }
}
