package io.strowger.spring;

import io.strowger.core.Gateway;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Shows the gateway's health with the classes of Boot 3. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnProperty(name = "management.health.strowger.enabled", matchIfMissing = true)
class Boot3HealthConfiguration {
  @Bean
  @ConditionalOnMissingBean(name = "strowgerHealthIndicator")
  HealthIndicator strowgerHealthIndicator(Gateway gateway, GatewayLifecycle lifecycle) {
    return () -> {
      GatewayHealth health = GatewayHealth.of(gateway, lifecycle.readiness());
      Health.Builder builder = health.isReady() ? Health.up() : Health.outOfService();
      return builder.withDetails(health.details()).build();
    };
  }
}
