/** Spring AI's chat model over a gateway in the same process. */
module io.strowger.springai {
  requires org.reactivestreams;
  requires spring.ai.retry;
  requires spring.core;
  requires static transitive org.jspecify;
  requires transitive io.strowger.core;
  requires transitive micrometer.observation;
  requires transitive reactor.core;
  requires transitive spring.ai.commons;
  requires transitive spring.ai.model;

  exports io.strowger.springai;
}
