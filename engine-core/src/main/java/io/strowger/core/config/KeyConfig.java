package io.strowger.core.config;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key that the configuration file defines, without its plaintext.
 *
 * @param id the SHA-256 of the plaintext
 * @param label the masked plaintext, for listings only; {@code ***} when the file has only the
 *     SHA-256
 * @param name a display name
 * @param isManagement whether it manages the account and cannot be used for inference
 * @param limit the most it may spend per period; null for no limit
 * @param reset the period after which the limit starts again
 */
public record KeyConfig(
    KeyId id, String label, String name, boolean isManagement, @Nullable Usd limit, Period reset) {
  public KeyConfig {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(reset, "reset");
  }

  @Override
  public String toString() {
    return "key " + id + " \"" + name + '"' + (isManagement ? ", management" : "");
  }
}
