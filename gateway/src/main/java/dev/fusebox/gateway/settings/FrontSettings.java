package dev.fusebox.gateway.settings;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.HttpConfig;
import dev.fusebox.http.HttpLimits;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.http.HttpTimes;
import dev.fusebox.http.OtherUsersPolicy;
import java.net.InetSocketAddress;

/// The settings of the HTTP server. Pure functions; thread-safe.
public final class FrontSettings {
    private FrontSettings() {}

    /// Where it listens, which clients it accepts, and their limits.
    public static HttpSettings of(Configuration configuration) {
        HttpConfig http = configuration.http();
        HttpConfig.Intake intake = http.intake();
        HttpLimits usual = HttpLimits.defaults();
        HttpTimes times = HttpTimes.defaults();
        return new HttpSettings(
                new InetSocketAddress(http.host(), http.port()),
                null,
                http.allowedOrigins(),
                http.allowsOtherUsers() ? OtherUsersPolicy.ALLOW : OtherUsersPolicy.REFUSE,
                new HttpLimits(
                        intake.maxBodyBytes(),
                        HttpLimits.roomForBodies(intake.maxBodyBytes()),
                        usual.maxLineBytes(),
                        usual.maxHeaderBytes(),
                        usual.maxHeaders(),
                        intake.maxConnections(),
                        usual.maxWaitingBytes()),
                new HttpTimes(
                        intake.headerTimeout(),
                        times.body(),
                        times.idle(),
                        configuration.limits().clientWrite(),
                        times.closing()));
    }
}
