package dev.fusebox.interop;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A stdio server and its launch command. Immutable.
///
/// @param env variables of its process
record Served(List<String> command, Map<String, String> env) {

    /// Our own scripted server, with pages of five.
    static Served fixture() {
        return new Served(ScriptedServer.stdio(ServerScript.faultless().withPageSize(5)), Map.of());
    }

    /// Our own server, which speaks this era only, or both, with all of a list on one page.
    static Served fixture(Era era) {
        return new Served(ScriptedServer.stdio(ServerScript.faultless().withEra(era)), Map.of());
    }

    /// A server from a package, on Node.
    static Served ofPackage(String name, String... arguments) {
        var command = new ArrayList<>(List.of(Npm.node(), Npm.file(name, "dist/index.js")));
        command.addAll(List.of(arguments));
        return new Served(List.copyOf(command), Map.of());
    }

    /// The server of the official SDK for Java.
    static Served java() {
        return new Served(JavaProgram.server("stdio"), Map.of());
    }

    Served with(String variable, Path value) {
        return new Served(command, Map.of(variable, value.toString()));
    }

    /// How a client reaches it without anything in between.
    Target direct() {
        return Target.of(command, env);
    }

    /// Writes a configuration of the gateway with this server in it. Clients read the same format.
    Path configuration(Path folder) {
        return Configuration.of(folder, command, env);
    }
}
