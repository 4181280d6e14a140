package io.strowger.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("A provider factory that is a bean")
class ProviderFactoryBeanTest {
  private static final AtomicInteger CLOSED = new AtomicInteger();

  @Configuration(proxyBeanMethods = false)
  static class Beans {
    @Bean
    ProviderFactory simulated() {
      ProviderFactory factory = new SimulatedFactory();
      return new ProviderFactory() {
        @Override
        public String protocol() {
          return factory.protocol();
        }

        @Override
        public ChatProvider create(ProviderSettings settings) {
          return factory.create(settings);
        }

        @Override
        public void close() {
          CLOSED.incrementAndGet();
        }
      };
    }
  }

  @Test
  @DisplayName("is closed once, by Spring")
  void closedOnce(@TempDir Path folder) throws Exception {
    Application.start(
            folder,
            Application.config("http://127.0.0.1:1/v1").replace("openai-chat", "simulated"),
            Beans.class,
            "spring.main.web-application-type=none")
        .close();
    assertThat(CLOSED).hasValue(1);
  }

  @Test
  @DisplayName(
      "overrides every method of a provider factory, so that all kinds of adapters can be made")
  void overridesAll() {
    assertThat(ProviderFactoryBean.class.getDeclaredMethods())
        .extracting(Method::getName)
        .containsAll(
            Arrays.stream(ProviderFactory.class.getMethods())
                .map(Method::getName)
                .filter(
                    name ->
                        !name.equals(
                            "withTransports")) // called only for factories that are loaded from the
                // class path
                .toList());
  }
}
