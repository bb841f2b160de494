package dev.fusebox.gateway.task;

import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.HmacSigner;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The signer of the task ids that clients get. An id says to which server its requests go, so it must be one that a
/// gateway of this user has issued, to this principal, and not too long ago. Thread-safe; nothing blocks.
///
/// On the wire it is `t1.CONTENT.SIGNATURE`, in characters that headers and JSON need not escape. It is signed, not
/// encrypted: the server's own id is no secret of the gateway.
final class TaskIdSigner {
    private static final String VERSION = "t1";
    private static final Pattern SIGNED =
            Pattern.compile(VERSION + "\\.([\\w-]{1,8192})\\.([\\w-]{" + HmacSigner.LENGTH + "})");
    private static final int PARTS = 5;

    private final InstantSource clock;
    private final HmacSigner signer;

    TaskIdSigner(InstantSource clock, HmacSigner signer) {
        this.clock = clock;
        this.signer = signer;
    }

    /// The id for a client.
    ///
    /// @param principal whose clients may use it
    String sign(TaskId id, Principal principal) {
        String parts = String.join(
                "\n",
                id.server(),
                id.process(),
                Long.toString(id.createdAt().toEpochMilli(), Character.MAX_RADIX),
                Long.toString(id.expiresAt().toEpochMilli(), Character.MAX_RADIX),
                id.own());
        String content = text(parts.getBytes(StandardCharsets.UTF_8));
        return VERSION + "." + content + "." + signer.signature(signedText(content, principal));
    }

    /// The content of an id; null if no gateway of this user has issued it to this principal, or if it has expired.
    @Nullable
    TaskId verify(String signed, Principal principal) {
        Matcher parts = SIGNED.matcher(signed);
        if (!parts.matches()) {
            return null;
        }
        if (!signer.isSigned(signedText(parts.group(1), principal), parts.group(2))) {
            return null;
        }
        TaskId id = read(parts.group(1));
        return id != null && clock.instant().isBefore(id.expiresAt()) ? id : null;
    }

    /// Null if it is the content of another version of the gateway.
    private static @Nullable TaskId read(String content) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(content), StandardCharsets.UTF_8);
            String[] parts = text.split("\n", PARTS);
            return parts.length < PARTS
                    ? null
                    : new TaskId(parts[0], parts[4], parts[1], time(parts[2]), time(parts[3]));
        } catch (IllegalArgumentException | DateTimeException other) {
            return null;
        }
    }

    private static Instant time(String text) {
        return Instant.ofEpochMilli(Long.parseLong(text, Character.MAX_RADIX));
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// A dot is in no content, so no two pairs of content and principal are signed alike.
    private static String signedText(String content, Principal principal) {
        return content + "." + principal.id();
    }
}
