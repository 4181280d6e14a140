package io.strowger.core.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A live view of the customers' own credentials that are in force. Safe on any thread. */
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

  /**
   * @return null when there is none in force
   */
  @Nullable ByokKey find(String id);
}
