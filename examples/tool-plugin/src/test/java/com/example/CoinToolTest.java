package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.plugin.ServerTool;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The coin tool")
class CoinToolTest {
  @Test
  @DisplayName("is found on the class path")
  void found() {
    assertThat(ServiceLoader.load(ServerTool.class)).hasOnlyElementsOfType(CoinTool.class);
  }
}
