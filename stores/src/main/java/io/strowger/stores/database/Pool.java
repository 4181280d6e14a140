package io.strowger.stores.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** Connections that are kept open. */
final class Pool {
  private static final int MOST = 8;
  private static final int READY = 2;
  private static final Duration FOR_ONE = Duration.ofMillis(1000);
  private static final Duration FOR_A_SIGN_OF_LIFE = Duration.ofMillis(500);

  /** A server ends a statement long before: one that says nothing is not there any more. */
  static final Duration SILENCE = Duration.ofSeconds(5);

  private Pool() {}

  static HikariDataSource open(Place place) {
    var config = new HikariConfig();
    config.setPoolName("strowger-store");
    config.setDataSource(new Connections(place, SILENCE));
    config.setConnectionInitSql(place.greeting());
    config.setMaximumPoolSize(MOST);
    config.setMinimumIdle(READY);
    config.setConnectionTimeout(FOR_ONE.toMillis());
    config.setValidationTimeout(FOR_A_SIGN_OF_LIFE.toMillis());
    config.setInitializationFailTimeout(-1); // it was there a moment ago; later it may come and go
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new HikariDataSource(config);
  }
}
