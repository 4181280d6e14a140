package io.strowger.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Carriers of virtual threads")
class CarrierThreadsTest {
  private static String provided(Properties properties, int processors) {
    CarrierThreads.setCarriers(properties, processors);
    return properties.getProperty(CarrierThreads.PARALLELISM);
  }

  @Test
  @DisplayName("are several for each processor, so that a few that compute do not stop the others")
  void several() {
    assertThat(provided(new Properties(), 1)).isEqualTo("8");
    assertThat(provided(new Properties(), 2)).isEqualTo("8");
    assertThat(provided(new Properties(), 16)).isEqualTo("64");
  }

  @Test
  @DisplayName("are as many as an operator says")
  void operators() {
    var properties = new Properties();
    properties.setProperty(CarrierThreads.PARALLELISM, "2");
    assertThat(provided(properties, 16)).isEqualTo("2");
  }
}
