package dev.fusebox.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The validator agrees with the decoder of the JDK.
class Utf8Test {
    private static boolean isValidForJdk(byte[] bytes, int from, int to) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
            return true;
        } catch (CharacterCodingException invalid) {
            return false;
        }
    }

    @Test
    void sequence_of_two_bytes_is_valid_exactly_if_the_jdk_decodes_it() {
        for (int i = 0; i < 1 << 16; i++) {
            byte[] bytes = {'a', (byte) (i >> 8), (byte) i, 'b'};
            assertThat(Utf8.isValid(bytes, 0, 4)).as(Integer.toHexString(i)).isEqualTo(isValidForJdk(bytes, 0, 4));
        }
    }

    @Test
    void part_of_a_damaged_text_is_valid_exactly_if_the_jdk_decodes_it() {
        SplittableRandom random = new SplittableRandom(7);
        byte[] text = "plain text, ä, €, 🌍, and plain text again; ".repeat(4).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = text.clone();
            if (random.nextBoolean()) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int from = random.nextInt(damaged.length);
            int to = random.nextInt(from, damaged.length + 1);
            assertThat(Utf8.isValid(damaged, from, to))
                    .as("%d: %d to %d", i, from, to)
                    .isEqualTo(isValidForJdk(damaged, from, to));
        }
    }
}
