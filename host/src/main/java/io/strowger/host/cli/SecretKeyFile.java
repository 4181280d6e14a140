package io.strowger.host.cli;

import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The secret key that encrypts BYOK keys, in a file of the data directory that only its owner can
 * read. The file is created on first use; if it is lost, the BYOK keys cannot be decrypted any
 * more. Safe on any thread.
 */
final class SecretKeyFile implements SecretKeySource {
  private static final String NAME = "secret.key";

  private final Path directory;
  private final ReentrantLock lock = new ReentrantLock();

  SecretKeyFile(Path directory) {
    this.directory = Objects.requireNonNull(directory, "directory");
  }

  @Override
  public SecretKey key() throws IOException {
    Path file = directory.resolve(NAME);
    lock.lock();
    try {
      if (Files.notExists(file)) {
        create(file);
      }
      return read(file);
    } finally {
      lock.unlock();
    }
  }

  private static SecretKey read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (IOException unreadable) {
      throw new IOException("the secret key in " + file + " cannot be read", unreadable);
    }
    if (!SecretKey.isBase64(text)) {
      throw new IOException(
          file + " is not a secret key: put back the file that was there, from a backup");
    }
    return SecretKey.ofBase64(text);
  }

  /** Writes a temporary file and renames it, so that the key file is never incomplete. */
  private void create(Path file) throws IOException {
    OwnerOnlyFiles.createDirectories(directory);
    Path draft = directory.resolve(NAME + ".new");
    Files.deleteIfExists(draft);
    byte[] key = new SecureBytes().apply(SecretKey.BYTES);
    byte[] text = Base64.getEncoder().encode(key);
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel =
        FileChannel.open(draft, options, OwnerOnlyFiles.fileAttributes(draft))) {
      ByteBuffer buffer = ByteBuffer.wrap(text);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    Files.move(draft, file);
  }
}
