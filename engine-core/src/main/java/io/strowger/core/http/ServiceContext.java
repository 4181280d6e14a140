package io.strowger.core.http;

import io.strowger.core.administration.AccountState;
import io.strowger.core.decode.Problems;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;

/**
 * What the services of resources and reports share.
 *
 * @param problemLimit the most problems that one answer reports; at least 1
 */
record ServiceContext(ResourceServices resources, BodyReader bodyReader, int problemLimit) {
  Problems newProblems() {
    return new Problems(problemLimit);
  }

  AccountState account() {
    return resources.account();
  }

  WorkspaceIdResolver workspaceIds() {
    return new WorkspaceIdResolver(account().workspaces());
  }

  /**
   * Returns the current snapshot.
   *
   * @throws io.strowger.spi.error.GatewayException 503 once the gateway is closed
   */
  Snapshot snapshot() {
    Snapshot snapshot = resources.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).toException();
    }
    return snapshot;
  }
}
