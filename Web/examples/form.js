const form = document.getElementById('order');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  document.getElementById('data').textContent = JSON.stringify(Object.fromEntries(new FormData(form)));
});

// As of a native input: by this page's user alone. Changes of the knob are "stepper-change".
form.addEventListener('change', (event) => {
  document.getElementById('data').textContent = `${event.target.name} is ${event.target.valueText}`;
});
