package com.example;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The company policy keeps the contract of interceptors:")
class CompanyPolicyContractTest extends InterceptorContract {
  @Override
  protected Interceptor interceptor() {
    var settings =
        new PluginConfig(
            Map.of(
                CompanyPolicy.MODELS, List.of("acme/one"),
                CompanyPolicy.CODE_NAMES, List.of("bluebird")));
    return new CompanyPolicy()
        .with(settings)
        .create(PluginConfig.EMPTY, Catalog.builder("test").build());
  }

  @Override
  protected InferenceRequest actingRequest() {
    return Given.streaming("acme/one", "When does bluebird start?");
  }

  @Override
  protected InferenceRequest passingRequest() {
    return Given.streaming("acme/one", "Hello.");
  }

  @Override
  protected Optional<String> forbiddenText() {
    return Optional.of("bluebird");
  }
}
