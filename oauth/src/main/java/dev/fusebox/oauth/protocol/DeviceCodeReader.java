package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import java.net.URI;
import java.time.Duration;

/// Reader of the answer of a device authorization endpoint (RFC 8628, 3.2). Immutable; nothing blocks.
///
/// @param targets rule for the pages that a person is sent to
record DeviceCodeReader(OAuthTargets targets) {
    private static final int MAX_USER_CODE = 64;
    /// The defaults and limits in seconds. Without `expires_in`, which is required, a short lifetime is assumed.
    private static final long LIFETIME = 600;
    private static final long LONGEST_LIFETIME = 1_800;
    private static final long INTERVAL = 5;
    private static final long LONGEST_INTERVAL = 60;

    DeviceCode read(byte[] document) throws InvalidMetadata {
        MetadataReader reader = MetadataReader.of(document);
        URI page = reader.url(reader.member("verification_uri") == null ? "verification_url" : "verification_uri");
        if (page == null) {
            throw new InvalidMetadata("verification_uri is missing");
        }
        String userCode = reader.requiredText("user_code").strip();
        if (userCode.length() > MAX_USER_CODE || HiddenCharacters.hasHidden(userCode)) {
            throw new InvalidMetadata("user_code is not a code that a person can type");
        }
        URI complete = reader.url("verification_uri_complete");
        return new DeviceCode(
                reader.requiredText("device_code"),
                userCode,
                allowed(page),
                complete == null ? null : allowed(complete),
                Duration.ofSeconds(Math.min(LONGEST_LIFETIME, seconds(reader, "expires_in", LIFETIME))),
                Duration.ofSeconds(Math.min(LONGEST_INTERVAL, seconds(reader, "interval", INTERVAL))));
    }

    private URI allowed(URI page) throws InvalidMetadata {
        return targets.target(page).uri();
    }

    private static long seconds(MetadataReader reader, String name, long fallback) {
        JsonView member = reader.member(name);
        Long seconds = member == null ? null : Numbers.seconds(member);
        return seconds == null ? fallback : seconds;
    }
}
