package dev.fusebox.worker;

import java.util.Map;
import java.util.Objects;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/// The functions of the worker that a script can reach; they take and return only numbers and text. None throws:
/// an exception of the worker would be a host object in the script's hands. For one thread.
final class HostFunctions {
    private @Nullable Side side;

    /// The objects that the functions use.
    record Side(WorkerOutput workerOutput, ScriptQuota scriptQuota, ScriptTimers scriptTimers) {}

    /// Sets the objects of the next script.
    void use(Side other) {
        side = other;
    }

    private Side side() {
        return Objects.requireNonNull(side, "no script is running");
    }

    ProxyObject asValue() {
        Map<String, Object> functions = Map.of(
                "call", (ProxyExecutable) this::call,
                "sleep", (ProxyExecutable) this::sleep,
                "log", (ProxyExecutable) this::log,
                "done", (ProxyExecutable) this::done,
                "failed", (ProxyExecutable) this::failed);
        return ProxyObject.fromMap(functions);
    }

    private Object call(Value... given) {
        String server = given[1].asString();
        String tool = given[2].asString();
        String args = given[3].asString();
        String refusal = side().scriptQuota().call(server + tool, args);
        if (refusal.isEmpty()) {
            side().workerOutput().call(given[0].asInt(), server, tool, args);
        }
        return refusal;
    }

    private Object sleep(Value... given) {
        return side().scriptTimers().add(given[0].asInt(), given[1].asDouble());
    }

    private Object log(Value... given) {
        side().scriptQuota().log(given[0].asString());
        return "";
    }

    private Object done(Value... given) {
        side().scriptQuota().done(given[0].asString());
        return "";
    }

    private Object failed(Value... given) {
        side().scriptQuota().failed(given[0].asString(), given[1].asString(), given[2].asInt(), given[3].asString());
        return "";
    }
}
