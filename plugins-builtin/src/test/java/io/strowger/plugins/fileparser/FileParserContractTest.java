package io.strowger.plugins.fileparser;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("file-parser as an interceptor")
class FileParserContractTest extends InterceptorContract {
  @Override
  protected Interceptor interceptor() {
    return (Interceptor)
        new FileParserProvider().create(PluginConfig.EMPTY, Catalog.builder("none").build());
  }

  @Override
  protected InferenceRequest actingRequest() {
    return FileParserTest.request(FileParserTest.file(FileParserTest.PDF)).toBuilder()
        .streaming(true)
        .build();
  }

  @Override
  protected InferenceRequest passingRequest() {
    return Given.streaming("acme/one", "hello");
  }
}
