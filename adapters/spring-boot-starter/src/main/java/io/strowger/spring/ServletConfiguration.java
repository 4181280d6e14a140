package io.strowger.spring;

import io.strowger.core.Gateway;
import io.strowger.servlet.GatewayServlet;
import jakarta.servlet.Servlet;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the gateway's HTTP API in an application that serves servlets. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Servlet.class, ServletRegistrationBean.class})
@ConditionalOnProperty(name = "strowger.serve", matchIfMissing = true)
class ServletConfiguration {
  static final String NAME = "strowgerServlet";

  @Bean(NAME)
  @ConditionalOnMissingBean(name = NAME)
  ServletRegistrationBean<GatewayServlet> strowgerServlet(
      Gateway gateway, StrowgerProperties properties) {
    var servlet =
        new ServletRegistrationBean<>(
            new GatewayServlet(gateway, properties.shutdownTimeout()), properties.path() + "/*");
    servlet.setName(NAME);
    servlet.setAsyncSupported(true); // a stream holds no thread of the container
    servlet.setLoadOnStartup(1);
    return servlet;
  }
}
