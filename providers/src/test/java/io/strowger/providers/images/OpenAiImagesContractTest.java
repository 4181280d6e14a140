package io.strowger.providers.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.simulated.UnaryLoopback;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.ImagesRequest;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UnaryProviderContract;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for images in the OpenAI form")
class OpenAiImagesContractTest extends UnaryProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new UnaryLoopback(ambient, Endpoint.Kind.IMAGES);
  }

  @Override
  protected UnaryRequest request() {
    Json.Obj members =
        Json.object().put("model", "acme/paint").put("prompt", "a cat").put("n", 2).build();
    return new ImagesRequest(
        members, ModelRef.parse("acme/paint"), Json.of("a cat"), 2, ProviderPreferences.NONE, null);
  }

  @Override
  protected void check(Json.Obj document) {
    assertThat(Objects.requireNonNull(document.list("data")).size()).isEqualTo(2);
  }
}
