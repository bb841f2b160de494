package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// A jar of the built application. Immutable; methods read the file.
///
/// @param file the jar
/// @param place where it is in the application, such as `lib/jackson-core-3.2.4.jar`
/// @param name of the artifact
/// @param version of the artifact
record BundledJar(Path file, String place, String name, String version) {
    private static final Pattern NAME = Pattern.compile("(.+?)-(\\d.*)\\.jar");
    private static final Pattern LEGAL = Pattern.compile("META-INF/[^/]*(LICEN[SC]E|NOTICE)[^/]*");
    private static final String OWN = "fusebox-";

    static BundledJar of(Path file) {
        String name = String.valueOf(file.getFileName());
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new IllegalArgumentException(name + " has no version in its name");
        }
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a jar is in a folder");
        String place = folder.getFileName() + "/" + name;
        return new BundledJar(file, place, parts.group(1), parts.group(2));
    }

    boolean isOwn() {
        return name.startsWith(OWN);
    }

    String sha256() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return sha256(in);
        }
    }

    /// The checksum of a file in the jar.
    String sha256(String entry) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry found = zip.getEntry(entry);
            if (found == null) {
                throw new IOException(place + " has no entry " + entry);
            }
            return sha256(zip.getInputStream(found));
        }
    }

    private static String sha256(InputStream in) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// The license and notice files in the jar, by name.
    Map<String, String> legalTexts() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (LEGAL.matcher(entry.getName().toUpperCase(Locale.ROOT)).matches() && !entry.isDirectory()) {
                    String text = new String(zip.getInputStream(entry).readAllBytes(), UTF_8);
                    texts.put(entry.getName(), text.replace("\r\n", "\n").strip());
                }
            }
        }
        return texts;
    }
}
