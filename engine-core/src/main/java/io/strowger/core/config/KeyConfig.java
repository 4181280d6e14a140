package io.strowger.core.config;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key that the configuration file defines. Its plaintext is not in here.
 *
 * @param id SHA-256 of the plaintext
 * @param label the plaintext masked, for listings only
 * @param name for people
 * @param management acts on the account and cannot ask for inference
 * @param limit most it may spend per period; null: no limit
 * @param reset when the limit starts anew
 */
public record KeyConfig(
    KeyId id, String label, String name, boolean management, @Nullable Usd limit, Period reset) {
  public KeyConfig {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(reset, "reset");
  }

  @Override
  public String toString() {
    return "key " + id + " \"" + name + '"' + (management ? ", management" : "");
  }
}
