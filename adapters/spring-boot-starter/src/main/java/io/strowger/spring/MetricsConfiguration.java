package io.strowger.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.strowger.core.Gateway;
import io.strowger.telemetry.GatewayMetrics;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counts the gateway's calls in the application's registry, where there are both libraries. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({GatewayMetrics.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
class MetricsConfiguration {
  /** A sink, so that the gateway gets it with all others. */
  @Bean
  @ConditionalOnMissingBean
  GatewayMetrics strowgerMetrics(MeterRegistry registry) {
    return new GatewayMetrics(registry);
  }

  /** The gauges ask the gateway, which is built after its sinks. */
  @Bean
  SmartInitializingSingleton strowgerGauges(GatewayMetrics metrics, Gateway gateway) {
    return () -> metrics.watch(gateway::load);
  }
}
