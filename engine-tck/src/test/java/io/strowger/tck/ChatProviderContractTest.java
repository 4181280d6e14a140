package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

@DisplayName("The contract of adapters")
class ChatProviderContractTest {
  @Nested
  @DisplayName("accepts a correct one:")
  class CorrectAdapter extends ChatProviderContract {
    @Override
    protected ProviderSetup connect(TestAmbient ambient) {
      return BrokenAdapters.setup(BrokenAdapters.Bug.NONE, ambient);
    }
  }

  @Nested
  @DisplayName("accepts a correct one of a protocol without streams:")
  class CorrectAdapterWithoutStreams extends ChatProviderContract {
    @Override
    protected ProviderSetup connect(TestAmbient ambient) {
      return BrokenAdapters.setup(BrokenAdapters.Bug.HAS_NO_STREAMS, ambient);
    }

    @Override
    protected boolean streams() {
      return false;
    }
  }

  @Test
  @DisplayName("accepts a connection that adapters share and that their factory closes")
  void sharedConnection() {
    BrokenAdapters.contract(BrokenAdapters.Bug.SHARES_CONNECTION).streamed();
  }

  @Test
  @DisplayName("skips two tests of streams for a protocol without streams, and says why")
  void skipped() {
    ChatProviderContract contract =
        BrokenAdapters.contract(BrokenAdapters.Bug.HAS_NO_STREAMS, false);
    assertThatThrownBy(contract::closeWakes)
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("has no streams");
    assertThatThrownBy(contract::providerCloses)
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("has no streams");
  }
}
