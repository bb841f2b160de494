package dev.fusebox.oauth.protocol;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A pending login on another device (RFC 8628, 3.2). Immutable. Its text form does not contain the device code, which
/// is secret.
///
/// @param deviceCode to poll with
/// @param userCode to be entered by the person
/// @param verificationUri page to enter it
/// @param completeUri the same with the code in it; null if there is none
/// @param lifetime of the codes
/// @param interval between two polls
public record DeviceCode(
        String deviceCode,
        String userCode,
        URI verificationUri,
        @Nullable URI completeUri,
        Duration lifetime,
        Duration interval) {
    @Override
    public String toString() {
        return "DeviceCode[" + verificationUri + ", " + lifetime.toSeconds() + " s]";
    }
}
