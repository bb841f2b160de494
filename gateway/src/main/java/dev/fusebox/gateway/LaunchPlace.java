package dev.fusebox.gateway;

import dev.fusebox.client.process.ChildEnvironment;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.LimitConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.gateway.share.ClientPlace;
import dev.fusebox.gateway.share.VariableNames;
import dev.fusebox.gateway.upstream.LaunchIdentity;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where the processes of servers are started: in the folder and the environment of a client, or of this gateway.
/// Immutable.
///
/// @param client null for this gateway
record LaunchPlace(@Nullable ClientPlace client) {
    static final LaunchPlace HERE = new LaunchPlace(null);

    /// Describes the terminal of a client, which servers do not have.
    private static final String TERMINAL = "TERM";

    /// What all views of clients here have in common, compared by value.
    Object origin() {
        return client == null ? HERE : new ClientPlace(client.folder(), client.names(), client.variables(), null, null);
    }

    /// The identity of a server started here, compared by value.
    LaunchIdentity launch(ServerConfig server, ServerEndpoint endpoint, LimitConfig limits) {
        if (client == null) {
            return new ServerLaunch(server, limits, "", Map.of(), false);
        }
        ServerEndpoint.Remote remote = endpoint.address();
        boolean runsProgram = endpoint instanceof ServerEndpoint.Stdio
                || (remote != null && !remote.headersHelper().isEmpty());
        if (!runsProgram) {
            return new ServerLaunch(server, limits, "", Map.of(), false);
        }
        ChildSpec spec = endpoint instanceof ServerEndpoint.Stdio process
                ? ChildSpec.of(process.command()).withInheritEnv(process.inheritEnv())
                : ChildSpec.of("");
        Map<String, String> variables = new HashMap<>(ChildEnvironment.of(spec, client.variables()));
        variables.remove(TERMINAL);
        if (endpoint instanceof ServerEndpoint.Stdio process) {
            // A variable that the configuration sets is not inherited.
            variables.keySet().removeAll(process.env().keySet());
        }
        String folder = endpoint instanceof ServerEndpoint.Stdio process ? folder(process.cwd()) : client.folder();
        boolean isInClientFolder = endpoint instanceof ServerEndpoint.Stdio process && process.cwd() == null;
        return new ServerLaunch(server, limits, folder, variables, isInClientFolder);
    }

    private String folder(@Nullable String cwd) {
        return Path.of(Objects.requireNonNull(client).folder())
                .resolve(Objects.requireNonNullElse(cwd, ""))
                .normalize()
                .toString();
    }

    /// The process, started here.
    ///
    /// @param marks variables that each child of this gateway has
    ChildSpec at(ChildSpec spec, Map<String, String> marks) {
        if (client == null) {
            return spec;
        }
        Map<String, String> own = new HashMap<>(client.variables());
        own.putAll(marks);
        return spec.withCwd(folder(spec.cwd())).withOwn(own);
    }

    /// The variables with which a configuration is read: those of the client, and only a few of this gateway, whose
    /// environment is that of the client that has started it.
    ///
    /// @param own variables of this gateway
    Map<String, String> variables(Map<String, String> own) {
        if (client == null) {
            return own;
        }
        Map<String, String> variables = new HashMap<>(VariableNames.ofGateway(own));
        variables.keySet().removeIf(client::hasSent);
        variables.putAll(client.variables());
        return variables;
    }
}
