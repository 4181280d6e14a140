package io.strowger.core.loading;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a jar and of the jars in its {@code Class-Path}, in memory. Later writes to the jars
 * have no effect. Immutable, safe on any thread.
 */
public final class JarContent {
  private static final Logger log = LoggerFactory.getLogger(JarContent.class);

  private final Map<String, List<Entry>> entries;

  private JarContent(Map<String, List<Entry>> entries) {
    this.entries = entries;
  }

  /**
   * One file of a jar.
   *
   * @param bytes the content; shared, must not be changed
   * @param url a URL that reads these bytes
   * @param source the jar that contains the file
   */
  record Entry(byte[] bytes, URL url, CodeSource source) {}

  /**
   * Reads a jar. Of a multi-release jar it reads the files for this JDK; signatures are not
   * verified.
   *
   * @throws IOException when a jar cannot be read; the message names the file only if it is another
   *     jar of the {@code Class-Path}
   */
  public static JarContent of(Path file) throws IOException {
    var jars = new LinkedHashSet<Path>();
    var entries = new HashMap<String, List<Entry>>();
    var pending = new ArrayList<>(List.of(file));
    while (!pending.isEmpty()) {
      Path next = pending.removeFirst();
      if (jars.add(next)) {
        try {
          pending.addAll(read(next, next.equals(file), entries));
        } catch (IOException e) {
          throw next.equals(file)
              ? e
              : new IOException(next + ", which its Class-Path names, " + message(e), e);
        }
      }
    }
    return new JarContent(entries);
  }

  private static String message(IOException e) {
    return String.valueOf(e.getMessage());
  }

  /**
   * Reads the entries of a jar and returns the jars its manifest names.
   *
   * @param isPluginJar whether this is the plugin jar itself; all jars that its manifest names must
   *     exist. Missing jars that a library names are ignored, since a library often names jars of
   *     its build environment
   */
  private static List<Path> read(Path file, boolean isPluginJar, Map<String, List<Entry>> entries)
      throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(Files.exists(file) ? "is not a file" : "does not exist");
    }
    var source = new CodeSource(file.toUri().toURL(), (Certificate @Nullable []) null);
    try (var jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
      for (JarEntry entry : jar.versionedStream().filter(e -> !e.isDirectory()).toList()) {
        byte[] bytes = bytes(jar, entry);
        URL url = url(file, entry.getName(), bytes);
        entries
            .computeIfAbsent(entry.getName(), name -> new ArrayList<>(1))
            .add(new Entry(bytes, url, source));
      }
      return classPath(file, isPluginJar, jar.getManifest());
    } catch (ZipException e) {
      throw new IOException("is not a jar, or is incomplete: " + message(e), e);
    } catch (IllegalArgumentException | SecurityException e) {
      throw new IOException("is not a readable jar: " + e.getMessage(), e);
    }
  }

  /** Reads an entry and checks its CRC, since a concurrent write could mix two versions. */
  private static byte[] bytes(JarFile jar, JarEntry entry) throws IOException {
    byte[] bytes;
    try (InputStream in = jar.getInputStream(entry)) {
      bytes = in.readAllBytes();
    }
    var sum = new CRC32();
    sum.update(bytes);
    if (sum.getValue() != entry.getCrc()) {
      throw new IOException(
          "is damaged, or was written to while it was read, in " + entry.getName());
    }
    return bytes;
  }

  private static List<Path> classPath(Path file, boolean isPluginJar, @Nullable Manifest manifest)
      throws IOException {
    String classPathValue =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    var jars = new ArrayList<Path>();
    for (String entryPath :
        classPathValue == null ? new String[0] : classPathValue.trim().split(" +", -1)) {
      if (entryPath.isEmpty()) {
        continue;
      }
      if (isPluginJar) {
        jars.add(resolve(file, entryPath));
      } else {
        resolveExisting(file, entryPath).ifPresent(jars::add);
      }
    }
    return jars;
  }

  private static Optional<Path> resolveExisting(Path library, String entryPath) {
    try {
      Path jar = resolve(library, entryPath);
      if (Files.exists(jar)) {
        return Optional.of(jar);
      }
      log.warn(
          "{} names {} in its Class-Path, which does not exist; the entry is ignored",
          library,
          entryPath);
    } catch (IOException e) {
      log.warn("{} {}; the entry is ignored", library, e.getMessage());
    }
    return Optional.empty();
  }

  private static Path resolve(Path file, String entryPath) throws IOException {
    try {
      return Path.of(file.toUri().resolve(new URI(entryPath))).normalize();
    } catch (URISyntaxException
        | IllegalArgumentException
        | FileSystemNotFoundException
        | SecurityException e) {
      throw new IOException(
          "has " + entryPath + " in its Class-Path, which is not a valid path", e);
    }
  }

  private static URL url(Path file, String name, byte[] bytes) throws IOException {
    try {
      URI uri = new URI("plugin-jar", null, file.toUri().getPath() + "!/" + name, null);
      return URL.of(uri, new MemoryStreamHandler(bytes));
    } catch (URISyntaxException e) {
      throw new IOException("has the file " + name + ", whose name fits no URL", e);
    }
  }

  /**
   * Returns the files with this name, the one of the jar itself first; empty when there is none.
   */
  List<Entry> entries(String name) {
    return entries.getOrDefault(name, List.of());
  }

  /** Returns whether another content has equal files from the same jars. */
  boolean isSameAs(JarContent other) {
    Set<String> names = entries.keySet();
    return names.equals(other.entries.keySet())
        && names.stream().allMatch(name -> isSame(entries(name), other.entries(name)));
  }

  private static boolean isSame(List<Entry> first, List<Entry> second) {
    if (first.size() != second.size()) {
      return false;
    }
    for (int i = 0; i < first.size(); i++) {
      Entry entry = first.get(i);
      Entry otherEntry = second.get(i);
      if (!entry.source().equals(otherEntry.source())
          || !Arrays.equals(entry.bytes(), otherEntry.bytes())) {
        return false;
      }
    }
    return true;
  }

  /** Opens URLs over the bytes in memory instead of the file. */
  private static final class MemoryStreamHandler extends URLStreamHandler {
    private final byte[] bytes;

    MemoryStreamHandler(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new Connection(url, bytes);
    }
  }

  private static final class Connection extends URLConnection {
    private final byte[] bytes;

    Connection(URL url, byte[] bytes) {
      super(url);
      this.bytes = bytes;
    }

    @Override
    public void connect() {
      connected = true;
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public long getContentLengthLong() {
      return bytes.length;
    }
  }
}
