#include <mosquitto.h>
// Since mosquitto 2.1 it is in mosquitto.h, and by itself a warning.
#if !__has_include(<mosquitto/mqtt_protocol.h>)
#include <mqtt_protocol.h>
#endif
