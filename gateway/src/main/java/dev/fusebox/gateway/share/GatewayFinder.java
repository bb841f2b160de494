package dev.fusebox.gateway.share;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the shared gateway of a configuration file, and starts one if there is none, or only one of an older
/// release. Thread-safe, but one thread at a time looks; blocks for some seconds at most.
public final class GatewayFinder {
    /// A gateway answers within milliseconds; one that does not is replaced.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);
    private static final int MAX_TRIES = 20;

    private final Platform platform;
    private final ShareAddress address;
    private final Client client;
    private final GatewayStarter starter;

    /// What the gateway is told of the client. Immutable.
    ///
    /// @param version of this program
    /// @param expose what the client sees; null for what the file says
    /// @param profile null for none
    /// @param startCommand starts a gateway of the file in the foreground
    public record Client(
            String version,
            @Nullable String expose,
            @Nullable String profile,
            List<String> startCommand) {
        public Client {
            startCommand = List.copyOf(startCommand);
        }
    }

    /// The client cannot be served by a shared gateway; the message says why.
    public static final class Unserved extends Exception {
        private static final long serialVersionUID = 1;

        Unserved(String message) {
            super(message);
        }
    }

    /// @param address of the gateway
    /// @param client what the gateway is told
    public GatewayFinder(Platform platform, ShareAddress address, Client client) {
        this.platform = platform;
        this.address = address;
        this.client = client;
        this.starter = new GatewayStarter(platform, address, client.startCommand());
    }

    /// The result of a greeting.
    private enum Greeting {
        WELCOME,
        OLDER,
        SILENT,
        GONE
    }

    /// Connects to the gateway.
    ///
    /// @param former the gateway that the client had before; null for its first one
    GatewayLink find(@Nullable FormerGateway former) throws IOException, Unserved, InterruptedException {
        address.requireSafe();
        Object replaced = null;
        boolean mayBeOlder = false;
        try {
            for (int tries = 0; tries < MAX_TRIES; tries++) {
                // Before it is connected to: another one may take its place meanwhile, which is not silent.
                Object there = starter.inPlace();
                GatewayLink link = starter.connect(replaced);
                Greeting greeting = greet(link, former, mayBeOlder);
                if (greeting == Greeting.WELCOME) {
                    return link;
                }
                link.close();
                boolean isReplaced = greeting == Greeting.OLDER || greeting == Greeting.SILENT;
                replaced = isReplaced ? there : null;
                // What was started here is not replaced, whatever release it says it is.
                mayBeOlder |= isReplaced;
                if (greeting == Greeting.GONE) {
                    platform.pause(BETWEEN_TRIES);
                }
            }
        } catch (GatewayStarter.NotStarted failed) {
            throw new Unserved(String.valueOf(failed.getMessage()));
        }
        throw new Unserved("gateways ended " + MAX_TRIES + " times before they answered");
    }

    private Greeting greet(GatewayLink link, @Nullable FormerGateway former, boolean mayBeOlder) throws Unserved {
        long begun = platform.ticker().nanos();
        Timer alarm = platform.timers().schedule(ANSWER_LIMIT, link::close);
        boolean isWelcome = false;
        try {
            isWelcome = exchange(link, former, mayBeOlder);
            return isWelcome ? Greeting.WELCOME : Greeting.OLDER;
        } catch (IOException ended) {
            boolean isSilent = platform.ticker().nanos() - begun >= ANSWER_LIMIT.toNanos();
            return isSilent ? Greeting.SILENT : Greeting.GONE;
        } finally {
            if (!alarm.cancel() && isWelcome) {
                link.close();
            }
        }
    }

    /// False if the gateway is older than this program, and may not be.
    private boolean exchange(GatewayLink link, @Nullable FormerGateway former, boolean mayBeOlder)
            throws IOException, Unserved {
        Release mine = Release.current(client.version());
        String folder = Path.of("").toAbsolutePath().toString();
        Hello hello = new Hello(mine, address.name(), folder, client.expose(), client.profile(), former);
        link.write(line(hello.bytes()));
        switch (Welcome.read(next(link))) {
            case Welcome.Refused(String reason) -> throw new Unserved(reason);
            case Welcome.Accepted(Release theirs, Long process, List<String> names) -> {
                link.setProcess(process);
                if (!mayBeOlder && mine.isNewerThan(theirs)) {
                    return false;
                }
                link.write(line(variables(names)));
            }
        }
        String refused = Welcome.refusal(next(link));
        if (refused != null) {
            throw new Unserved(refused);
        }
        return true;
    }

    private byte[] variables(List<String> names) {
        JsonWriter json = new JsonWriter().beginObject();
        VariableNames.select(names, platform.environment())
                .forEach((name, value) -> json.name(name).string(value));
        return json.endObject().toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] next(GatewayLink link) throws IOException {
        byte[] line = link.readLine();
        if (line == null) {
            throw new IOException("the gateway has ended");
        }
        return line;
    }

    private static byte[] line(byte[] text) {
        byte[] line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        return line;
    }
}
