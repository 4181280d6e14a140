package io.strowger.spring;

import io.opentelemetry.api.OpenTelemetry;
import io.strowger.spi.observe.CallTracer;
import io.strowger.telemetry.OpenTelemetryTracer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates spans for the gateway's calls, if the application has an {@link OpenTelemetry}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({OpenTelemetryTracer.class, OpenTelemetry.class})
@ConditionalOnBean(OpenTelemetry.class)
class TracesConfiguration {
  @Bean
  @ConditionalOnMissingBean(CallTracer.class)
  OpenTelemetryTracer strowgerTracer(OpenTelemetry openTelemetry, StrowgerProperties properties) {
    return new OpenTelemetryTracer(openTelemetry, properties.followCallers());
  }
}
