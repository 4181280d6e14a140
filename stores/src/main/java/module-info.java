/** Durable stores. Packages exported to one module only are internal. */
@SuppressWarnings("module") // the modules named behind "to" are compiled after this one
module io.strowger.stores {
  requires java.logging;
  requires java.sql;
  requires org.jdbi.v3.core;
  requires org.slf4j;
  requires static com.h2database;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.stores;
  exports io.strowger.stores.database to
      io.strowger.host;
  exports io.strowger.stores.files to
      io.strowger.host;
  exports io.strowger.stores.ledger to
      io.strowger.host;
}
