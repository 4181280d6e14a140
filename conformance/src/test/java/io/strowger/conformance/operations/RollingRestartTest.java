package io.strowger.conformance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Authenticator;
import io.strowger.spi.provider.Credential;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@DisplayName("The deployment of the compose file")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RollingRestartTest {
  @TempDir private Path folder;
  private PaidLoad load;
  private Deployment deployment;

  @BeforeEach
  void start() throws Exception {
    load = new PaidLoad();
    deployment = new Deployment(folder, load.upstream());
    deployment.awaitReady(0);
    deployment.awaitReady(1);
    // the balancer knows that a gateway is ready once it lets a request through
    HttpAnswer probe = null;
    while (probe == null || probe.status() != 200) {
      probe = tryToSend("GET /readyz");
    }
  }

  /** Sends a request to the balancer; returns null while that does not listen yet. */
  private @Nullable HttpAnswer tryToSend(String request) {
    try {
      return HttpAnswer.send(deployment.port(), request, "", "");
    } catch (IOException early) {
      return null;
    }
  }

  @AfterEach
  void stop() throws Exception {
    load.close();
    deployment.close();
  }

  private BigDecimal usage() throws Exception {
    String path = "/api/v1/keys/" + Authenticator.id(new Credential(PaidLoad.KEY)).hex();
    HttpAnswer answer =
        HttpAnswer.send(deployment.ports(0).api(), "GET " + path, Deployment.ADMIN_KEY, "");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return new BigDecimal(
        Objects.requireNonNull(Objects.requireNonNull(answer.json().object("data")).get("usage"))
            .toString());
  }

  @Test
  @DisplayName(
      "restarts one gateway after the other under load without a failed request or a lost bill")
  void rollingRestart() throws Exception {
    load.start(4, 4, deployment::port);
    load.await(40);
    for (int gateway = 0; gateway < Deployment.GATEWAYS.size(); gateway++) {
      assertThat(deployment.stop(gateway)).as("exit code").isZero();
      load.await(20); // the other gateway serves alone
      deployment.startAgain(gateway);
      deployment.awaitReady(gateway);
      load.await(40);
    }
    load.stop();
    assertThat(load.failures()).isEmpty();
    assertThat(load.streamed()).isGreaterThan(10);
    assertThat(load.dispatched()).isEqualTo(load.answered().size());

    // both gateways store all bills when they stop, and the restarted one reads them
    deployment.stopAll();
    deployment.startAgain(0);
    deployment.awaitReady(0);
    assertThat(usage())
        .isEqualByComparingTo(PaidLoad.PRICE.multiply(BigDecimal.valueOf(load.answered().size())));
  }
}
