package io.strowger.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Carriers of virtual threads")
class CarrierThreadsTest {
  private static String carriers(Properties properties, int processors) {
    CarrierThreads.setCarriers(properties, processors);
    return properties.getProperty(CarrierThreads.PARALLELISM);
  }

  @Test
  @DisplayName("are several for each processor, so that a few busy ones do not stop the others")
  void several() {
    assertThat(carriers(new Properties(), 1)).isEqualTo("8");
    assertThat(carriers(new Properties(), 2)).isEqualTo("8");
    assertThat(carriers(new Properties(), 16)).isEqualTo("64");
  }

  @Test
  @DisplayName("are as many as the operator has set")
  void operators() {
    var properties = new Properties();
    properties.setProperty(CarrierThreads.PARALLELISM, "2");
    assertThat(carriers(properties, 16)).isEqualTo("2");
  }
}
