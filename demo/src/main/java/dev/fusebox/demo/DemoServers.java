package dev.fusebox.demo;

import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The gateway configuration of the demo: three servers that are child processes, and one that does not start.
/// Only the cooldowns differ from the defaults. Pure functions, thread-safe; nothing blocks.
public final class DemoServers {
    static final int COOLDOWN_MILLIS = 1_500;

    private DemoServers() {}

    /// The configuration, JSON.
    ///
    /// @param callCount an empty file in which the flaky server counts its calls
    public static String configuration(Path callCount) {
        JsonWriter config = new JsonWriter().beginObject().name("mcpServers").beginObject();
        for (String kind : List.of("healthy", "flaky", "crashing")) {
            server(config.name(kind), List.of(kind, callCount.toString()));
        }
        config.name("absent").raw("{\"command\":\"/nowhere/server\"}");
        config.endObject().name("expose").string("both");
        for (String breaker : List.of("breaker", "toolBreaker")) {
            config.name(breaker)
                    .beginObject()
                    .name("cooldownMs")
                    .number(COOLDOWN_MILLIS)
                    .endObject();
        }
        return config.endObject().toString();
    }

    /// A [DemoServer] on the Java of this process, which finds its classes where this process found them.
    private static void server(JsonWriter into, List<String> arguments) {
        List<String> args = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        String modules = System.getProperty("jdk.module.path");
        String main = DemoServer.class.getName();
        if (modules == null) {
            args.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        } else {
            args.addAll(List.of("-p", modules, "-m", DemoServer.class.getPackageName() + "/" + main));
        }
        args.addAll(arguments);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        into.beginObject()
                .name("command")
                .string(java)
                .name("era")
                .string("legacy")
                .name("args")
                .beginArray();
        args.forEach(into::string);
        into.endArray().endObject();
    }
}
