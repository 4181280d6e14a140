/** Tests that the demo shows what it promises. */
@NullMarked
package io.strowger.host.demo;

import org.jspecify.annotations.NullMarked;
