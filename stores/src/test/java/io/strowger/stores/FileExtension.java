package io.strowger.stores;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Provides an embedded database for each test class, in a directory of its own. */
public final class FileExtension implements BeforeAllCallback, AfterAllCallback {
  private final TestAmbient ambient = TestAmbient.realTime();
  private @Nullable Path directory;
  private @Nullable JdbcStores stores;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    directory = Files.createTempDirectory("strowger-file");
  }

  /** Returns settings for stores in a directory. */
  public static JdbcStores.Settings settings(Path directory) {
    return new JdbcStores.Settings(
        "jdbc:h2:file:" + directory.resolve("store"), null, Credential.NONE, directory);
  }

  /** Returns the stores, which are opened at the first call. */
  public JdbcStores stores() {
    if (directory == null) {
      throw new IllegalStateException("register this as a static extension");
    }
    if (stores == null) {
      stores = JdbcStores.open(settings(directory), new JacksonCodec(), ambient);
    }
    return stores;
  }

  /** Closes the stores; the next call of {@link #stores} opens them again. */
  public void close() {
    if (stores != null) {
      stores.close();
      stores = null;
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    close();
    ambient.assertNoThreadsLeft();
    if (directory != null) {
      Directories.delete(directory);
    }
  }
}
