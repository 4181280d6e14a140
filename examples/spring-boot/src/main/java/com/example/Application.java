package com.example;

import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.provider.ProviderFactory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Application {
  private static final Logger log = LoggerFactory.getLogger(Application.class);

  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  /** Adds a protocol to the gateway; gateway.json names it. */
  @Bean
  ProviderFactory simulated(
      @Value("${models.pause:10ms}") Duration pause,
      @Value("${models.answer:one two three four five six}") String text) {
    Script answer = Script.builder().text(text).chunks(6).chunkDelay(pause).build();
    return new SimulatedFactory(call -> answer);
  }

  /** Receives the record of every call that has ended. */
  @Bean
  TraceSink calls() {
    return call -> log.info("{} cost {}", call.endpoint(), call.cost());
  }
}
