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

/**
 * Counts the gateway's calls in the application's registry, if Micrometer and the telemetry module
 * are on the class path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({GatewayMetrics.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
class MetricsConfiguration {
  /** Returns the metrics, which the gateway receives like every bean that is a sink. */
  @Bean
  @ConditionalOnMissingBean
  GatewayMetrics strowgerMetrics(MeterRegistry registry) {
    return new GatewayMetrics(registry);
  }

  /** Registers the gauges after the gateway is built, because they read it. */
  @Bean
  SmartInitializingSingleton strowgerGauges(GatewayMetrics metrics, Gateway gateway) {
    return () -> metrics.watch(gateway::load);
  }
}
