package io.strowger.core.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A live view of the active BYOK keys. Safe on any thread. */
public interface ByokKeys {
  ByokKeys NONE =
      new ByokKeys() {
        @Override
        public List<ByokKey> all() {
          return List.of();
        }

        @Override
        public @Nullable ByokKey find(String id) {
          return null;
        }
      };

  List<ByokKey> all();

  /** Returns the active key with this id; null when there is none. */
  @Nullable ByokKey find(String id);
}
